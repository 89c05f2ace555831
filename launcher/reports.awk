# Surefire's XML reports in; out: every failure, one line for each module, and at last "PASSED FAILED" in all.

function attribute(name,    rest) {
    if (!match($0, " " name "=\"[^\"]*\"")) return ""
    rest = substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
    gsub(/&#10;/, "\n      ", rest)
    gsub(/&lt;/, "<", rest)
    gsub(/&gt;/, ">", rest)
    gsub(/&quot;/, "\"", rest)
    gsub(/&apos;/, "'", rest)
    gsub(/&amp;/, "\\&", rest)
    return rest
}

/^<testsuite / {
    module = FILENAME
    sub(/^\.\//, "", module)
    sub(/\/target\/.*/, "", module)
    if (!(module in bad)) order[++modules] = module
    wrong = attribute("failures") + attribute("errors")
    bad[module] += wrong
    skipped[module] += attribute("skipped")
    good[module] += attribute("tests") - wrong - attribute("skipped")
}

/^ *<testcase / { test = attribute("classname") "." attribute("name") }

/^ *<(failure|error)[ >]/ {
    print "FAILED " test
    print "      " substr(attribute("type") ": " attribute("message"), 1, 600)
    print "      the report: " substr(FILENAME, 3)
}

/^ *<skipped[ >]/ { print "SKIPPED " test ": " substr(attribute("message"), 1, 300) }

END {
    for (i = 1; i <= modules; i++) {
        module = order[i]
        print module ": " good[module] " passed, " bad[module] " failed" \
            (skipped[module] ? ", " skipped[module] " skipped" : "")
        passed += good[module]
        failed += bad[module]
    }
    print passed + 0 " " failed + 0
}
