# `coir bench --install`: gets the peers that are not Java, and what loads servers. Sourced by coir.
bench_packages="golang-go g++ libboost-fiber-dev wrk redis-server redis-tools"

install_peers() {
  if ! command -v apt-get >/dev/null; then
    say "--install knows only Debian's apt-get, and there is none here. What the benchmarks look for:"
    echo "  Go: the program go. macOS: brew install go" >&2
    echo "  boost.fiber: g++ with the headers and libraries of Boost. macOS: brew install boost" >&2
    echo "  for servers: wrk, redis-server, redis-benchmark. macOS: brew install wrk redis" >&2
    exit 2
  fi
  sudo=
  if [ "$(id -u)" -ne 0 ]; then
    sudo=$(command -v sudo) || { say "apt-get needs root: run as root: apt-get install $bench_packages"; exit 2; }
  fi
  say "$sudo apt-get install $bench_packages"
  $sudo apt-get -q update || say "the list of packages could not be brought up to date; going on with the one that is there"
  # shellcheck disable=SC2086
  $sudo apt-get install -y --no-install-recommends $bench_packages
}
