# Builds what a program needs and tells its class path. Sourced by coir.

modules() { sed -n 's:.*<module>\(.*\)</module>.*:\1:p' "$root/pom.xml"; }

has_module() { modules | grep -qx "$1"; }

agent_jar=$root/agent/target/coir-agent.jar # made when the module's classes are, and not only when it is packaged

library_modules() { modules | grep -vx -e bench -e stress; }

# Brings the modules up to date and leaves the class path of their programs in $class_path.
build() { # NAME MODULE...
  stamp=$state/$1.stamp
  class_path_file=$state/$1.classpath
  shift
  if ! up_to_date; then
    need_maven
    lock
    up_to_date || compile "$@"
    unlock
  fi
  class_path=$(cat "$class_path_file")
}

up_to_date() {
  [ -f "$stamp" ] && [ -f "$class_path_file" ] && class_path_exists && [ -z "$(newer_source)" ]
}

class_path_exists() ( # in a process of its own: IFS is changed
  set -f
  IFS=:
  for entry in $(cat "$class_path_file"); do
    [ -e "$entry" ] || return 1
  done
)

# A folder is newer when a file came or went, so that deleted sources are noticed too.
newer_source() (
  cd "$root" || exit
  set -- pom.xml .mvn
  for module in $(modules); do set -- "$@" "$module/pom.xml" "$module/src/main"; done
  find "$@" -newer "$stamp" 2>/dev/null | head -n 1
)

compile() { # MODULE...
  list=$(printf '%s\n' "$@" | paste -s -d , -)
  echo "$$ $(date)" >"$stamp.new" # made before, so that what is edited during the build counts as newer
  run_maven process-classes org.apache.maven.plugins:maven-dependency-plugin:build-classpath \
    -Dmdep.outputFile=target/coir.classpath -DincludeScope=runtime \
    -Dspotless.check.skip=true --projects "$list" --also-make
  code=$?
  if [ $code -ne 0 ]; then
    say "the build failed:"
    explain_failure
    exit 1
  fi
  for module in "$@"; do
    if [ "$module" = agent ]; then printf '%s\n' "$agent_jar"; else printf '%s\n' "$root/$module/target/classes"; fi
    tr ':' '\n' <"$root/$module/target/coir.classpath"
    echo
  done | awk '$0 != "" && !seen[$0]++' | paste -s -d : - >"$class_path_file"
  mv "$stamp.new" "$stamp"
  on_terminal || say "built in $seconds s"
}
