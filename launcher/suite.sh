# `coir test`: Maven's verify, then the launcher's own tests, then one line with the sum. Sourced by coir.

suite() { # [MODULE...] [--long] [--only PATTERN] [-Dx=y...]
  chosen=
  launcher=
  only=
  left=$# # the arguments are taken from the front, and what Maven gets is put at the back
  while [ "$left" -gt 0 ]; do
    argument=$1
    shift
    left=$((left - 1))
    case $argument in
      --long) set -- "$@" -Dcoir.dose=long ;;
      --only)
        [ "$left" -gt 0 ] || misuse "--only needs a pattern, e.g. --only 'Mutex*Test'"
        only=$1
        shift
        left=$((left - 1))
        set -- "$@" "-Dtest=$only" -Dsurefire.failIfNoSpecifiedTests=false
        ;;
      -D*) set -- "$@" "$argument" ;;
      -*) misuse "test has no option '$argument'" ;;
      launcher) launcher=yes ;;
      *)
        has_module "$argument" ||
          misuse "there is no module '$argument' (there are: $(modules | paste -s -d ' ' -) launcher)"
        chosen="$chosen${chosen:+,}$argument"
        ;;
    esac
  done
  need_jdk
  need_maven
  case ${chosen:-all}, in
    all, | *examples,*) need_tools ;;
  esac

  passed=0
  failed=0
  broken=
  if [ -n "$chosen" ]; then
    verify --projects "$chosen" --also-make "$@"
  elif [ -n "$only" ]; then
    verify "$@"
  elif [ -z "$launcher" ]; then
    launcher=yes
    verify "$@"
  fi
  if [ -n "$only" ] && [ "$((passed + failed))" -eq 0 ]; then
    say "no test class is named '$only'${chosen:+ in $chosen} (several patterns are separated by commas: 'Mutex*Test,Scope*Test')"
    failed=1
  fi
  if [ -n "$launcher" ] && [ -n "$broken" ]; then
    echo "launcher: not tested, because the build is broken"
  elif [ -n "$launcher" ]; then
    test_launcher
  fi
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}

verify() { # MAVEN ARGS
  lock
  : >"$state/suite.start"
  run_maven verify --fail-at-end "$@"
  code=$?
  unlock
  # Only what this run wrote counts: reports of classes that are gone stay in target/ until someone cleans it.
  report=$(cd "$root" && find . -path '*/target/surefire-reports/TEST-*.xml' -newer "$state/suite.start" \
    -exec awk -f launcher/reports.awk {} +)
  printf '%s\n' "$report" | sed -e '$d'
  totals=$(printf '%s\n' "$report" | tail -n 1)
  passed=${totals% *}
  failed=${totals#* }
  : "${passed:=0}" "${failed:=0}"
  skipped=$(sed -n 's/^\[INFO\] Coir \(.*[^ .]\) \.\.* SKIPPED$/\1/p' "$log" | paste -s -d ' ' -)
  [ -z "$skipped" ] || echo "not tested, because of what failed before: $skipped"
  if [ "$code" -ne 0 ] && { [ "$failed" -eq 0 ] || failed_otherwise; }; then
    broken=yes
    failed=$((failed + 1))
    say "the build failed, which counts as one failure:"
    explain_failure
  fi
}

# A JVM that dies amid its tests, say, is in no report.
failed_otherwise() {
  grep '^\[ERROR\] Failed to execute goal' "$log" | grep -qv 'There are test failures'
}

test_launcher() {
  say "testing launcher"
  result=$(sh "$root/launcher/test.sh")
  printf '%s\n' "$result"
  counts=$(printf '%s\n' "$result" | sed -n 's/^launcher: \([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
  : "${counts:=0 1}" # it ended before its last line
  passed=$((passed + ${counts% *}))
  failed=$((failed + ${counts#* }))
}
