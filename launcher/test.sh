#!/bin/sh
# The launcher's own tests, run by `coir test`. A line for each failure, and one line with the sum at the end.
# The first half runs a copy of the launcher among made-up JDKs and a made-up Maven; the second half is real.
set -u
unset CDPATH COIR_JAVA_OPTS
root=$(cd -P "$(dirname "$0")/.." && pwd)
work=$(cd -P "$(mktemp -d)" && pwd)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

check() { # NAME CODE TEXT: the last `try` ended with CODE and its output contains TEXT
  case $code:$output in
    "$2:"*"$3"*) passed=$((passed + 1)) ;;
    *)
      failed=$((failed + 1))
      printf 'FAILED launcher: %s\n      expected exit code %s and: %s\n      got exit code %s and: %s\n' \
        "$1" "$2" "$3" "$code" "$output"
      ;;
  esac
}

check_absent() { # NAME TEXT: the last output does not contain TEXT
  case $output in
    *"$2"*) check "$1" "$code" "no '$2' in the output" ;;
    *) check "$1" "$code" "" ;;
  esac
}

try() { # COMMAND...
  output=$("$@" 2>&1)
  code=$?
}

# A launcher that knows no folder but ours, with a path that has a blank in it.
copy="$work/a copy"
mkdir -p "$copy/core/src/main" "$work/tools" "$work/jdks" "$work/home"
cp -R "$root/coir" "$root/launcher" "$copy"
mkdir "$copy/.mvn"
echo '<module>core</module>' >"$copy/pom.xml"
echo 'class A {}' >"$copy/core/src/main/A.java"
cp "$copy/pom.xml" "$copy/core/pom.xml"
cat >>"$copy/launcher/jdk.sh" <<END
usual_jdk_folders() { for folder in "$work"/jdks/*; do echo "\$folder"; done; }
END
for tool in sh env awk basename cat cksum cut date dirname find getconf grep head ln ls mkdir mv paste readlink rm \
  sed sleep tail touch tr uname wc; do
  ln -s "$(command -v $tool)" "$work/tools/$tool"
done

alone() { # [VARIABLE=VALUE...] COMMAND...: with nothing of this machine but the basic tools
  try env -i PATH="$work/tools" HOME="$work/home" "$@"
}

fake_jdk() { # FOLDER VERSION: javac leaves a class behind, java repeats what it was given
  mkdir -p "$1/bin"
  echo "JAVA_VERSION=\"$2.0.1\"" >"$1/release"
  cat >"$1/bin/java" <<END
#!/bin/sh
if [ "\$1" = -version ]; then echo 'openjdk version "$2.0.1" 2025-01-01' >&2; else echo "java of $2: \$*"; fi
END
  cat >"$1/bin/javac" <<'END'
#!/bin/sh
mkdir -p "$2" && touch "$2/A.class"
END
  chmod +x "$1/bin/java" "$1/bin/javac"
}

alone "$copy/coir"
check "no command shows the help" 0 "./coir run File.java"
alone "$copy/coir" --help
check "--help shows the help" 0 "./coir doctor"
alone "$copy/coir" frobnicate
check "an unknown command is named" 2 "there is no command 'frobnicate'"
alone "$copy/coir" run
check "run without a file" 2 "run needs a file"
alone "$copy/coir" run notes.txt
check "run with another kind of file" 2 "not 'notes.txt'"
alone "$copy/coir" run Gone.java
check "run with a missing file" 2 "there is no file 'Gone.java'"
alone "$copy/coir" bench
check "bench without its module" 2 "no module named bench"
alone "$copy/coir" bench --install
check "bench --install without apt-get" 2 "knows only Debian's apt-get"
mkdir "$work/debian"
printf '#!/bin/sh\necho "apt-get $*"\n' >"$work/debian/apt-get"
printf '#!/bin/sh\necho "${FAKE_ID:-0}"\n' >"$work/debian/id"
chmod +x "$work/debian/apt-get" "$work/debian/id"
alone PATH="$work/tools:$work/debian" "$copy/coir" bench --install
check "bench --install as root" 0 "apt-get install -y --no-install-recommends golang-go g++ libboost-fiber-dev wrk redis-server redis-tools"
alone PATH="$work/tools:$work/debian" FAKE_ID=1000 "$copy/coir" bench --install
check "bench --install without rights" 2 "apt-get needs root"
alone "$copy/coir" test --fast
check "test with an unknown option" 2 "no option '--fast'"
alone "$copy/coir" test nothing
check "test with an unknown module" 2 "there is no module 'nothing' (there are: core launcher)"
alone "$copy/coir" test --only
check "test --only without a pattern" 2 "--only needs a pattern"

# The tools that tests drive: named when they are missing, asked for when that is possible.
tools_with() { alone "$@" sh -c "root='$copy' state='$copy/.coir'; say() { echo \"coir: \$*\"; }; . '$copy/launcher/tools.sh'; need_tools"; }
cat >"$work/tools/id" <<'END'
#!/bin/sh
echo "${FAKE_ID:-1000}"
END
cat >"$work/tools/apt-get" <<'END'
#!/bin/sh
echo "apt-get $*"
exit 1
END
chmod +x "$work/tools/id" "$work/tools/apt-get"
ln -s "$(command -v sort)" "$work/tools/sort"
tools_with
check "missing tools are named, with how to get them" 0 "to run them: apt-get install curl nghttp2-client redis-tools strace wrk"
check_absent "... and nobody but root installs" "installing"
tools_with FAKE_ID=0
check "root has them installed, and a failure is said" 0 "coir: apt-get failed; its log is .coir/install.log
coir: MISSING: curl"
tools_with FAKE_ID=0 COIR_INSTALL=no
check_absent "unless that is not wanted" "installing"
rm "$work/tools/id" "$work/tools/apt-get"

source=$copy/core/src/main/A.java
fake_jdk "$work/jdks/seventeen" 17
fake_jdk "$work/jdks/twenty-six" 26
fake_jdk "$work/jdks/runtime" 25
rm "$work/jdks/runtime/bin/javac"
alone "$copy/coir" run "$source"
check "no JDK: what is needed" 2 "Coir needs a JDK 25"
check "no JDK: an older one is not taken" 2 "jdks/seventeen (usual folder) is Java 17, not 25"
check "no JDK: a newer one is not taken" 2 "jdks/twenty-six (usual folder) is Java 26, not 25"
check "no JDK: a runtime is not taken" 2 "jdks/runtime (usual folder) is a runtime without javac"
check "no JDK: how to get one" 2 "brew install openjdk@25"
alone "$copy/coir" doctor
check "doctor without a JDK" 2 "JDK 25: MISSING"

fake_jdk "$work/jdks/usual" 25
alone "$copy/coir" run "$source"
check "no Maven: what is needed" 2 "Coir is built with Maven and none was found"
check "no Maven: how to get it" 2 "apt-get install maven"
alone "$copy/coir" doctor
check "doctor without Maven" 2 "Maven: MISSING"
alone COIR_MVN="$work/no/mvn" "$copy/coir" doctor
check "a wrong COIR_MVN is said" 2 "COIR_MVN is not used: there is no program $work/no/mvn"

# This Maven writes down each call, and builds or complains as told.
mkdir -p "$work/maven/bin" "$work/path"
cat >"$work/maven/bin/mvn" <<END
#!/bin/sh
case "\$*" in *--version*) echo "Apache Maven 9.9"; exit ;; esac
echo "\$JAVA_HOME \$*" >>"$work/calls"
echo "[INFO] --- maven-compiler-plugin:1:compile (default-compile) @ coir-core ---"
sleep 0.2
if [ -f "$work/complaint" ]; then cat "$work/complaint"; exit 1; fi
mkdir -p core/target/classes && echo >core/target/coir.classpath
END
chmod +x "$work/maven/bin/mvn"
alone MAVEN_HOME="$work/maven" "$copy/coir" doctor
check "doctor with all that is required" 0 "All that is required is here."
check "doctor finds the JDK in a usual folder" 0 "JDK 25: $work/jdks/usual"
check "doctor finds Maven by MAVEN_HOME" 0 "Maven: $work/maven/bin/mvn (9.9)"

fake_jdk "$work/mine" 25
fake_jdk "$work/also mine" 25
jdk_is() { # NAME FOLDER [VARIABLE=VALUE...]
  name=$1
  folder=$2
  shift 2
  alone COIR_MVN="$work/maven/bin/mvn" "$@" "$copy/coir" doctor
  check "$name" 0 "JDK 25: $folder"
}
jdk_is "JAVA_HOME goes before the usual folders" "$work/mine" JAVA_HOME="$work/mine"
jdk_is "COIR_JAVA_HOME goes before JAVA_HOME" "$work/also mine" JAVA_HOME="$work/mine" COIR_JAVA_HOME="$work/also mine"
jdk_is "a JAVA_HOME of another version is passed over" "$work/jdks/usual" JAVA_HOME="$work/jdks/seventeen"
jdk_is "a COIR_JAVA_HOME of another version is passed over" "$work/jdks/usual" COIR_JAVA_HOME="$work/jdks/seventeen"
check "... and that is said" 0 "COIR_JAVA_HOME is not used: $work/jdks/seventeen is Java 17"
ln -s "../mine/bin/java" "$work/path/java"
jdk_is "the java on PATH is followed to its JDK" "$work/mine" PATH="$work/path:$work/tools"
cd "$work" || exit
jdk_is "a relative JAVA_HOME is made absolute" "$work/mine" JAVA_HOME=mine
rm "$work/jdks/usual/release"
jdk_is "without a release file the JVM is asked" "$work/jdks/usual"
mkdir -p "$work/jdks/bundle/Contents"
mv "$work/jdks/usual" "$work/jdks/bundle/Contents/Home"
jdk_is "a bundle of macOS is looked into" "$work/jdks/bundle/Contents/Home"

alone COIR_MVN="$work/maven/bin/mvn" "$copy/coir" test core --only 'No*Such'
check "a pattern that names no test" 1 "no test class is named 'No*Such' in core"
: >"$work/calls"

coir_run() { alone COIR_MVN="$work/maven/bin/mvn" "$@" "$copy/coir" run "$source" "one two"; }
calls_are() { # NAME COUNT
  calls=$(wc -l <"$work/calls")
  [ "$calls" -eq "$2" ] || output="$calls calls of Maven: $(cat "$work/calls")"
  check "$1" 0 "java of 25"
  : >"$work/calls"
}
coir_run
calls_are "what is missing is built" 1
check "progress is told without a terminal" 0 "coir: compiling core"
coir_run COIR_JAVA_OPTS="-Xa=* -Xb"
calls_are "what is there is not built again" 0
check "the flags are passed, and the user's" 0 \
  "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED --add-opens=java.base/java.lang=ALL-UNNAMED --enable-native-access=ALL-UNNAMED -Xa=* -Xb -cp"
touch "$copy/core/src/main/B.java"
coir_run
calls_are "a new source is built" 1
rm "$copy/core/src/main/B.java"
coir_run
calls_are "a deleted source is noticed" 1
touch "$copy/core/pom.xml"
coir_run
calls_are "a changed pom is noticed" 1
rm -r "$copy/core/target"
coir_run
calls_are "a cleaned target is noticed" 1

ln -s 99999999 "$copy/.coir/lock"
touch "$source"
coir_run
calls_are "the lock of a dead launcher is removed" 1
mv "$copy/.coir" "$work/kept"
touch "$copy/.coir"
coir_run
check "a state folder that cannot be written to is said" 2 "cannot write to $copy/.coir"
rm "$copy/.coir"
mv "$work/kept" "$copy/.coir"
touch "$source"
coir_run >"$work/other" &
coir_run
wait
calls_are "two launchers at once build once" 1

cat >"$work/complaint" <<END
[INFO] noise
[ERROR] COMPILATION ERROR :
[ERROR] $copy/core/src/main/A.java:[1,7] cannot find symbol
  symbol: class Q
[INFO] 1 error
[ERROR] $copy/core/src/main/A.java:[1,7] cannot find symbol
[ERROR] format violations
[ERROR] Re-run Maven using the -X switch
END
touch "$source"
coir_run
check "a failed build shows the complaint" 1 "  core/src/main/A.java:[1,7] cannot find symbol
    symbol: class Q"
check "a failed build names the formatter's cure" 1 "mvn spotless:apply"
check "a failed build names its log" 1 "the full log is .coir/build.log"
check_absent "a failed build does not repeat Maven's advice" "Re-run"
echo "Error: Could not create the Java Virtual Machine." >"$work/complaint"
coir_run
check "a Maven that does not start is quoted" 1 "Could not create the Java Virtual Machine"
rm "$work/complaint"
coir_run
check "after a failed build the next one tries again" 0 "java of 25"

# From here on everything is real.
mkdir -p "$work/here/sub dir"
cd "$work/here" || exit
cat >"sub dir/Hello.java" <<'END'
package some.where.else_;

import dev.coir.coro.Generator;
import java.util.Scanner;

public class Hello {
    public static void main(String[] args) {
        for (String s : Generator.<String>of(sink -> { for (String arg : args) sink.yield("[" + arg + "]"); }))
            System.out.print(s);
        System.out.println(new Scanner(System.in).nextLine());
        System.exit(7);
    }
}
END
say_hello() { echo "from stdin" | "$@" run "sub dir/Hello.java" "one two" '*'; }
try say_hello "$root/coir"
check "arguments, standard input, exit code and package" 7 "[one two][*]from stdin"
try say_hello "$root/coir"
check_absent "the second run prints nothing of its own" "coir:"
ln -s "$root/coir" "$work/here/link"
try say_hello ./link
check "through a symbolic link" 7 "[one two][*]from stdin"
echo 'void main(String[] args) { IO.println("compact " + args.length); }' >Compact.java
try "$root/coir" run Compact.java a b
check "a compact source file" 0 "compact 2"
echo 'class Wrong { int x = "text"; }' >Wrong.java
try "$root/coir" run Wrong.java
check "a compile error looks like javac's" 1 "Wrong.java:1: error: incompatible types"
echo 'class Other { public static void main(String[] args) {} }' >Named.java
try "$root/coir" run Named.java
check "a file without the class it is named after" 2 "has no class named Named"

cat >Agent.java <<'END'
class Agent {
    public static void main(String[] args) {
        String found = "none";
        try {
            found = String.valueOf(Class.forName("dev.coir.agent.boot.Poll", true, null).getClassLoader());
        } catch (ClassNotFoundException e) {
            // without the agent
        }
        System.out.println("agent: " + found + ", " + dev.coir.fiber.Fiber.go(() -> "works").join() + args.length);
    }
}
END
try "$root/coir" run Agent.java one
check "run loads the agent, which is all the JVM is given" 0 "agent: null, works1"
check_absent "... and the JVM has nothing to warn of" "warning"
try "$root/coir" run --no-agent Agent.java one two
check "run --no-agent does without it" 0 "agent: none, works2"
try env COIR_AGENT_ARGS=inclde=x "$root/coir" run Agent.java
check "a wrong argument of the agent is named" 2 "coir-agent: unknown argument 'inclde=x' (expected: key=value"

cat >Flagless.java <<'END'
class Flagless {
    public static void main(String[] args) throws Exception {
        String java = System.getProperty("java.home") + "/bin/java";
        var bare = new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), "Flagless$Bare");
        System.exit(bare.inheritIO().start().waitFor());
    }

    static class Bare {
        public static void main(String[] args) {
            dev.coir.coro.Coroutine.of(() -> {}).resume();
        }
    }
}
END
try "$root/coir" run Flagless.java
check "a JVM without the flags says which to add" 1 "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED"
check "... and names the launcher" 1 "coir run"
check "... and the agent" 1 "-javaagent:coir-agent.jar"

echo "launcher: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
