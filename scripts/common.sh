# What the scripts share; sourced, never run. Sets `root`, the top of the source tree, and goes there.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$root"

# A compilation is the same wherever the source tree lies, so that ccache also serves a second clone.
export CCACHE_BASEDIR="$root" CCACHE_NOHASHDIR=true CCACHE_SLOPPINESS=pch_defines,time_macros

say() { printf '\n== %s\n' "$*"; }

fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "'$*' needs root: run this script as root, or install sudo"
  fi
}

# install_packages <who>...: installs those packages of packages.txt that are missing; asks nobody when none is.
install_packages() {
  local wanted missing=() package
  mapfile -t wanted < <(awk -v groups=" $* " '!/^#/ && index(groups, " " $2 " ") { print $1 }' scripts/packages.txt)
  for package in "${wanted[@]}"; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  if [ "${#missing[@]}" -eq 0 ]; then
    return
  fi
  command -v apt-get >/dev/null || fail "needs a Debian system with apt-get, or by hand: ${missing[*]}"
  say "installing ${missing[*]}"
  as_root apt-get update -qq || fail "apt-get update failed: check the network and the apt sources"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
    >build/apt.log 2>&1 ||
    { tail -n 20 build/apt.log >&2; fail "apt-get install failed; all of its output: build/apt.log"; }
}

# toolkit_folders: where an installed CUDA Toolkit keeps its headers.
toolkit_folders() {
  printf '%s\n' ${CUDA_HOME:+"$CUDA_HOME/include"} /usr/local/cuda/include /usr/include
}

# find_cuda_headers: prints the folder of cuda.h, from a CUDA Toolkit or else from the small PyPI wheel that carries it
# (kept in build/third_party). When there is neither it prints nothing and says so on stderr: only the cuda plugin needs
# it.
find_cuda_headers() {
  local folder wheel_folder="$root/build/third_party/cuda"
  while read -r folder; do
    if [ -f "$folder/cuda.h" ]; then
      printf '%s\n' "$folder"
      return
    fi
  done < <(toolkit_folders)
  mkdir -p "$wheel_folder"
  if [ -z "$(find "$wheel_folder" -name cuda.h)" ]; then
    fetch_cuda_wheel "$wheel_folder" ||
      echo "no cuda.h: no CUDA Toolkit and no network; going on without the cuda plugin" >&2
  fi
  find "$wheel_folder" -name cuda.h -printf '%h\n' -quit
}

fetch_cuda_wheel() {
  local folder="$1"
  rm -rf "$folder.part"
  python3 -m pip download --quiet --disable-pip-version-check --retries 1 --timeout 15 --no-deps --only-binary :all: \
    --dest "$folder.part" 'nvidia-cuda-runtime==13.0.*' >&2 &&
    python3 -m zipfile -e "$folder.part"/*.whl "$folder.part" >&2 &&
    rm -rf "$folder" && mv "$folder.part" "$folder"
}

# configure <preset> [cmake arguments...]: configures, quietly unless it fails.
configure() {
  local preset="$1" log="build/$1.configure.log"
  shift
  cmake --preset "$preset" -DBERTH_CUDA_INCLUDE_DIR="$(find_cuda_headers)" "$@" >"$log" 2>&1 ||
    { cat "$log" >&2; fail "configuring '$preset' failed"; }
}

mkdir -p build
