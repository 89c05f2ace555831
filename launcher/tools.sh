# Gets the programs of other people that some tests drive: curl, wrk, h2load, the tools of Redis, strace. Sourced by coir.
# Root on a machine with apt-get (a container, a CI machine) has them installed; anybody else is told what to install, and
# the tests that need them are skipped and say so. COIR_INSTALL=no stops the installing.

tools="curl:curl wrk:wrk h2load:nghttp2-client redis-cli:redis-tools redis-benchmark:redis-tools strace:strace"

missing_packages() {
  for tool in $tools; do
    command -v "${tool%%:*}" >/dev/null || printf '%s\n' "${tool#*:}"
  done | sort -u | paste -s -d ' ' -
}

can_install() {
  [ "${COIR_INSTALL:-yes}" != no ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null
}

need_tools() {
  packages=$(missing_packages)
  [ -n "$packages" ] || return 0
  if can_install; then
    say "installing $packages (once, by apt-get; COIR_INSTALL=no to do without)"
    mkdir -p "$state"
    # shellcheck disable=SC2086
    { apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install $packages; } \
      >"$state/install.log" 2>&1 </dev/null || say "apt-get failed; its log is .coir/install.log"
    packages=$(missing_packages)
    [ -n "$packages" ] || return 0
  fi
  say "MISSING: $packages. The tests that need them are skipped; to run them: apt-get install $packages"
}
