# `coir doctor`: what is here, what is missing, and how to get it. Sourced by coir.

doctor() {
  healthy=yes
  echo "System: $(uname -s) $(uname -r) $(uname -m), $(getconf _NPROCESSORS_ONLN 2>/dev/null || echo '?') cores"
  doctor_jdk
  doctor_maven
  echo "Optional, for some benchmarks and examinations:"
  optional h2load "apt-get install nghttp2-client, or brew install nghttp2"
  optional wrk "apt-get install wrk, or brew install wrk"
  optional redis-benchmark "apt-get install redis-tools, or brew install redis"
  optional go "apt-get install golang-go, or brew install go; ./coir bench --install gets it on Debian"
  optional g++ "apt-get install g++ libboost-fiber-dev; ./coir bench --install gets it on Debian"
  optional strace "apt-get install strace (Linux only)"
  if [ -z "$healthy" ]; then exit 2; fi
  echo "All that is required is here."
}

doctor_jdk() {
  find_jdk
  echo "JDK $jdk_version: ${jdk:-MISSING}"
  list_jdks
  if [ -z "$jdk" ]; then
    healthy=
    how_to_get_jdk
  fi
}

doctor_maven() {
  find_maven
  if [ -z "$mvn" ]; then
    healthy=
    echo "Maven: MISSING"
    how_to_get_maven
  else
    # Asked from /, away from this project's .mvn: whatever Java there is will do for the answer.
    version=$(cd / && JAVA_HOME=${jdk:-${JAVA_HOME:-}} "$mvn" -B --version 2>/dev/null |
      sed -n 's/.*Apache Maven \([0-9][^ ]*\).*/\1/p')
    echo "Maven: $mvn (${version:-of an unreadable version})"
  fi
}

optional() { # TOOL HOW
  if found=$(command -v "$1"); then
    echo "  $1: $found"
  else
    echo "  $1: missing; $2"
  fi
}
