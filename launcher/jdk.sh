# Finds a JDK of exactly the version whose internals Coir stands on. Sourced by coir.
jdk_version=25

# Folders in which JDKs usually live, whether they hold one or not.
usual_jdk_folders() {
  home=${HOME:-/nowhere}
  if [ -x /usr/libexec/java_home ]; then /usr/libexec/java_home -v "$jdk_version" 2>/dev/null; fi
  for folder in /usr/lib/jvm/* /usr/java/* /opt/*jdk* /opt/java/* /Library/Java/JavaVirtualMachines/* \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk /usr/local/opt/openjdk*/libexec/openjdk.jdk \
    /home/linuxbrew/.linuxbrew/opt/openjdk*/libexec "$home"/Library/Java/JavaVirtualMachines/* "$home"/.jdks/* \
    "$home"/.sdkman/candidates/java/* "$home"/.asdf/installs/java/* "$home"/.local/share/mise/installs/java/*; do
    [ ! -d "$folder" ] || printf '%s\n' "$folder"
  done
}

# Every place worth a look, best first: one line each, "how it was found|folder".
jdk_candidates() {
  [ -z "${COIR_JAVA_HOME:-}" ] || jdk_candidate COIR_JAVA_HOME "$COIR_JAVA_HOME"
  [ -z "${JAVA_HOME:-}" ] || jdk_candidate JAVA_HOME "$JAVA_HOME"
  if on_path=$(command -v java); then
    jdk_candidate PATH "$(dirname "$(dirname "$(real_path "$on_path")")")"
  fi
  usual_jdk_folders | while IFS= read -r folder; do jdk_candidate "usual folder" "$folder"; done
}

jdk_candidate() { # HOW FOLDER
  folder=$2
  if [ -d "$folder/Contents/Home" ]; then folder=$folder/Contents/Home; fi # a bundle of macOS
  if [ -d "$folder" ]; then folder=$(cd -P "$folder" && pwd); fi
  printf '%s|%s\n' "$1" "$folder"
}

java_version_of() { # FOLDER; the release file is read first because starting a JVM takes much longer
  number='\(1\.\)\{0,1\}\([0-9]\{1,\}\).*/\2/p'
  version=$(sed -n "s/^JAVA_VERSION=\"\{0,1\}$number" "$1/release" 2>/dev/null)
  [ -n "$version" ] || version=$("$1/bin/java" -version 2>&1 | sed -n "s/.* version \"$number" | head -n 1)
  printf '%s\n' "$version"
}

why_not_jdk() { # FOLDER; prints nothing when it can be used
  if [ ! -x "$1/bin/java" ]; then
    echo "has no bin/java"
    return
  fi
  version=$(java_version_of "$1")
  if [ "$version" != "$jdk_version" ]; then
    echo "is Java ${version:-of an unreadable version}, not $jdk_version"
  elif [ ! -x "$1/bin/javac" ]; then
    echo "is a runtime without javac"
  fi
}

find_jdk() { # leaves it in $jdk, empty when there is none
  jdk=
  while [ -z "$jdk" ] && IFS='|' read -r found_by folder; do
    if [ -z "$folder" ]; then continue; fi
    reason=$(why_not_jdk "$folder")
    if [ -z "$reason" ]; then
      jdk=$folder
    elif [ "$found_by" = COIR_JAVA_HOME ]; then
      say "COIR_JAVA_HOME is not used: $folder $reason"
    fi
  done <<END
$(jdk_candidates)
END
}

list_jdks() { # every candidate once, and why it is taken or not
  jdk_candidates | awk -F '|' '!seen[$2]++' | while IFS='|' read -r found_by folder; do
    reason=$(why_not_jdk "$folder")
    if [ -n "$reason" ]; then
      echo "  not taken: $folder ($found_by) $reason"
    elif [ "$folder" = "$jdk" ]; then
      echo "  taken:     $folder ($found_by)"
    else
      echo "  spare:     $folder ($found_by)"
    fi
  done
}

how_to_get_jdk() {
  cat <<END
  Debian, Ubuntu: apt-get install openjdk-$jdk_version-jdk, or temurin-$jdk_version-jdk where the release is older
  macOS: brew install openjdk@$jdk_version
  sdkman: sdk list java, then sdk install java with one of its $jdk_version versions
  It may lie anywhere: set COIR_JAVA_HOME to its folder.
END
}

need_jdk() {
  find_jdk
  [ -z "$jdk" ] || return 0
  say "Coir needs a JDK $jdk_version (exactly $jdk_version, with javac) and none was found."
  {
    echo "Looked at COIR_JAVA_HOME, JAVA_HOME, the java on PATH, and the folders JDKs usually live in:"
    list_jdks
    echo "How to get one:"
    how_to_get_jdk
  } >&2
  exit 2
}
