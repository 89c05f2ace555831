# Finds Maven and runs it with one line of progress in the place of its log. Sourced by coir.
log=$state/build.log

find_maven() { # leaves it in $mvn, empty when there is none
  mvn=
  for candidate in "${COIR_MVN:-}" mvn "${MAVEN_HOME:-/nowhere}/bin/mvn" "${M2_HOME:-/nowhere}/bin/mvn"; do
    if [ -z "$candidate" ]; then continue; fi
    mvn=$(command -v "$candidate") && break
    [ "$candidate" != "${COIR_MVN:-}" ] || say "COIR_MVN is not used: there is no program $candidate"
  done
  case $mvn in
    '' | /*) ;;
    *) mvn=$(pwd)/$mvn ;;
  esac
}

how_to_get_maven() {
  cat <<END
  Debian, Ubuntu: apt-get install maven
  macOS: brew install maven
  sdkman: sdk install maven
  It may lie anywhere: set COIR_MVN to its bin/mvn.
END
}

need_maven() {
  find_maven
  [ -z "$mvn" ] || return 0
  say "Coir is built with Maven and none was found."
  {
    echo "Looked at COIR_MVN, mvn on PATH, MAVEN_HOME/bin/mvn, M2_HOME/bin/mvn. How to get it:"
    how_to_get_maven
  } >&2
  exit 2
}

# Only one launcher at a time writes below target/. The lock is a symbolic link to the owner's process id: made in one
# step, owner and all. A dead owner's lock is removed by whoever first makes the link that names that owner.
lock() {
  mkdir -p "$state"
  trap unlock EXIT
  trap 'stop_maven; exit 130' INT
  trap 'stop_maven; exit 143' TERM HUP
  told=
  tries=0
  until ln -s "$$" "$state/lock" 2>/dev/null; do
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] || { say "cannot write to $state (it may be deleted when no coir runs)"; exit 2; }
    owner=$(readlink "$state/lock") || continue
    if kill -0 "$owner" 2>/dev/null; then
      [ -n "$told" ] || say "waiting for another coir to finish its build (process $owner; if that is none, delete .coir/lock)"
      told=yes
      tries=0
      sleep 0.3
    elif ln -s "$$" "$state/lock.of.$owner" 2>/dev/null; then
      if [ "$(readlink "$state/lock")" = "$owner" ]; then rm -f "$state/lock"; fi
      rm -f "$state/lock.of.$owner"
    fi
  done
}

unlock() {
  if [ "$(readlink "$state/lock")" = "$$" ]; then rm -f "$state/lock"; fi
  trap - EXIT INT TERM HUP
}

# A shell script's background process ignores the terminal's interrupt, so it has to be told.
stop_maven() {
  clear_line
  if [ -n "${maven_pid:-}" ]; then
    kill "$maven_pid" 2>/dev/null
    wait "$maven_pid"
  fi
}

on_terminal() { [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; }

clear_line() { ! on_terminal || printf '\r\033[K' >&2; }

# Maven's log in; out, for each step that takes time, what is being done.
steps() {
  LC_ALL=C sed -n \
    -e 's/^\[INFO\] --- .*:compile (.*) @ coir-\([a-z-]*\) ---.*/compiling \1/p' \
    -e 's/^\[INFO\] --- .*:testCompile (.*) @ coir-\([a-z-]*\) ---.*/compiling the tests of \1/p' \
    -e 's/^\[INFO\] --- .*:test (.*) @ coir-\([a-z-]*\) ---.*/testing \1/p' \
    -e 's/^\[.*\] Tests run: \([0-9]*\),.* in \([A-Za-z0-9_.$]*\)$/\2 done (tests: \1)/p' \
    -e 's/^\[INFO\] Compiling \([0-9]* source files\) .*/compiling \1/p' \
    -e 's:^\[INFO\] Downloading from .*/\([^/]*\)$:downloading \1:p'
}

# Shows what Maven does until it ends: on a terminal one line rewritten in place, elsewhere one line for each step.
follow() {
  started=$(date +%s)
  lines_read=0
  step="starting Maven"
  tested=
  alive=yes
  while [ -n "$alive" ]; do
    kill -0 "$maven_pid" 2>/dev/null || alive= # asked before reading, so that the last lines are not missed
    lines=$(($(wc -l <"$log")))
    news=
    [ "$lines" -eq "$lines_read" ] || news=$(LC_ALL=C sed -n "$((lines_read + 1)),${lines}p" "$log" | steps)
    lines_read=$lines
    seconds=$(($(date +%s) - started))
    classes=$(grep -c '^\[.*\] Tests run: .* in ' "$log")
    [ "$classes" -eq 0 ] || tested=", $classes test classes so far"
    if on_terminal; then
      [ -z "$news" ] || step=$(printf '%s\n' "$news" | tail -n 1)
      printf '\r\033[Kcoir: %.50s%s, %s s' "$step" "$tested" "$seconds" >&2
    else
      printf '%s\n' "$news" | sed -e '/^$/d' -e '/^downloading /d' -e '/source files$/d' -e 's/^/coir: /' -e "/ done (/s/\$/$tested/" >&2
    fi
    [ -z "$alive" ] || sleep 0.3
  done
  clear_line
}

run_maven() { # ARGS; returns Maven's exit code, its log is in $log
  : >"$log"
  (cd "$root" && export JAVA_HOME="$jdk" && exec "$mvn" -B -Dstyle.color=never "$@") >"$log" 2>&1 &
  maven_pid=$!
  follow
  wait "$maven_pid"
  maven_code=$?
  maven_pid=
  return $maven_code
}

# What went wrong, out of Maven's log: each complaint once, without Maven's own advice.
explain_failure() {
  LC_ALL=C awk -v root="$root/" '
    /^\[/ { show = /^\[ERROR\]/ || /^\[WARNING\] .*\.java:\[/ }
    !show { next }
    {
      while ((at = index($0, root)) > 0) $0 = substr($0, 1, at - 1) substr($0, at + length(root))
      sub(/^\[[A-Z]*\] */, "")
      sub(/ *-> \[Help [0-9]*\]$/, "")
      words = $0
      gsub(/^ *|\033\[[0-9]*m/, "", words)
    }
    words == "" || seen[words]++ || words ~ /^(COMPILATION ERROR|\tat |To see|Re-run|For more|After correcting)/ { next }
    words ~ /^(\[Help|mvn <args>|See dump files|Run .mvn spotless)/ || words ~ /Compilation failure$/ { next }
    ++shown <= 40 { print "  " $0 }
    END { if (shown > 40) print "  ... and " shown - 40 " lines more" }' "$log" >&2
  grep -q '^\[ERROR\]' "$log" || tail -n 10 "$log" >&2 # Maven itself did not start
  if grep -q 'format violations' "$log"; then
    say "the formatter can do it: JAVA_HOME='$jdk' mvn spotless:apply"
  fi
  say "the full log is .coir/build.log"
}
