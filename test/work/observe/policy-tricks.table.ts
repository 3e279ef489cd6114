// Tricks that write outside of what a policy allows (README.md, other/) or read a denied file (.env), and the constructs they are put in.

export const WRITES: readonly string[] = String.raw`
[ -v 'a[$(echo p > README.md)]' ]
test -v 'a[$(echo p > README.md)]'
[[ -v 'a[$(echo p > README.md)]' ]]
[[ 'a[$(echo p > README.md)]' -eq 1 ]]
x='a[$(echo p > README.md)]'; [[ $x -eq 1 ]]
let 'a[$(echo p > README.md)]=1'
declare -i x='a[$(echo p > README.md)]'
declare 'a[$(echo p > README.md)]=1'
declare -n r='a[$(echo p > README.md)]'; r=1
export 'a[$(echo p > README.md)]'
printf -v 'a[$(echo p > README.md)]' x
read 'a[$(echo p > README.md)]' <<< x
read -r x <<< 'a[$(echo p > README.md)]'; echo $((x))
mapfile -t 'a[$(echo p > README.md)]' <<< x
a=(1); unset 'a[$(echo p > README.md)]'
x='a[$(echo p > README.md)]'; echo $((x))
x='a[$(echo p > README.md)]'; echo $((x=x))
x='a[$(echo p > README.md)]'; (( x > 1 ))
x='a[$(echo p > README.md)]'; for ((i=x;i<1;i++)); do :; done
x='a[$(echo p > README.md)]'; y=abc; echo ${"$"}{y:x}
x='a[$(echo p > README.md)]'; echo ${"$"}{!x}
x='a[$(echo p > README.md)]'; echo ${"$"}{b[x]}
x='a[$(echo p > README.md)]'; b[x]=1
for x in 'a[$(echo p > README.md)]'; do echo $((x)); done
f() { x='a[$(echo p > README.md)]'; }; x=1; f; echo $((x))
x=1; eval "x='a[\$(echo p > README.md)]'"; echo $((x))
x='$(echo p > README.md)'; echo ${"$"}{x@P}
PS4='$(echo p > README.md)'; set -x; ls
HOME=$PWD; echo p > ~/README.md
HOME=$PWD; rm ~/README.md
HOME=$PWD; cd; echo p > README.md
export HOME=$PWD; echo p > ~/README.md
CDPATH=other; mkdir -p src/z; cd src; echo x > y
GLOBIGNORE=x; cat *
IFS=/; x=src/README.md; rm $x
TMPDIR=$PWD/other mktemp
TMPDIR=$PWD/other; mktemp
PATH=$PWD/src:$PATH; cat x
PATH=src:$PATH cat x
BASH_ENV=src/cat bash -c ls
ENV=src/cat sh -i -c ls
LD_PRELOAD=src/x.so ls
TAR_OPTIONS=--remove-files tar cf src/x.tar README.md
GIT_EXTERNAL_DIFF=src/cat git diff
x=README.md; echo p > $x
x=README.md; echo p > "$x"
x=README.md; y=$x; rm $y
D=README.md; echo x | tee $D
read f <<< README.md; echo p > "$f"
for f in README.md; do echo p > $f; done
for f in src/with*; do rm $f; done
for f in *.md; do rm "$f"; done
select f in README.md; do rm $f; done <<< 1
set -- README.md; rm "$1"
while read f; do rm $f; done <<< README.md
printf -v f README.md; rm "$f"
mapfile -t f <<< README.md; rm "${"$"}{f[0]}"
x=src/a.ts; f() { x=README.md; }; f; rm $x
x=src/a.ts; true && x=README.md; rm $x
x=src/a.ts; if true; then x=README.md; fi; rm $x
x=src/a.ts; for i in 1 2; do rm $x; x=README.md; done
: ${"$"}{x:=README.md}; rm $x
if false; then cd src; else echo p > README.md; fi
case y in x) cd src;; y) echo p > README.md;; esac
f() { cd other; }; f; mkdir -p src; echo x > src/y
cd() { :; }; cd src; echo p > README.md
eval cd other; mkdir -p src; echo x > src/y
pushd -n src; echo p > README.md
cd -P src/away/..; echo p > README.md
set -P; cd src/away/..; echo p > README.md
shopt -s lastpipe; true | cd other; mkdir -p src; echo x > src/y
shopt -s dotglob; cat *
enable -n cd; cd src; echo p > README.md
alias ls=rm; ls README.md
trap 'echo p > README.md' EXIT; cd src
src/cat
./src/cat
cd src; ./cat
linux64 rm README.md
linux32 tee README.md < src/a.ts
setarch x86_64 rm README.md
env -C other touch z
env -S 'rm README.md'
env -iS 'rm README.md'
busybox rm README.md
chroot / rm README.md
stdbuf -oL rm README.md
ionice -c3 rm README.md
taskset 1 rm README.md
taskset -c 0 rm README.md
script -qc 'rm README.md' /dev/null
nice -5 rm README.md
timeout -k 1 5 rm README.md
setsid -w rm README.md
nohup rm README.md
unshare rm README.md
chrt -o 0 rm README.md
prlimit --core=0 rm README.md
command -p touch z
xargs touch <<< z
xargs -I{} touch {} <<< z
echo z | xargs -n1 touch
find . -name README.md | xargs rm
find . -name '*.md' -exec rm {} +
find src -maxdepth 0 -fprint README.md
find src -maxdepth 0 -fprintf README.md hi
zip -m src/x.zip README.md
zip other/x src/a.ts
tar cf src/x.tar --remove-files README.md
tar cf src/x.tar --remove README.md
tar -cf src/a.tar src/a.ts --index-file=other/idx
tar tvf /dev/null --index-file other/idx
tar cf /dev/null src --checkpoint=1 --checkpoint-action=exec='rm README.md'
tar cf /dev/null src --checkpoint=1 --checkpoint-act=exec='rm README.md'
tar cf src/x.tar -I 'tee README.md' src
tar cfC x.tar src .
git log --output README.md -1
git log --output=README.md
git shortlog -sn --output=README.md HEAD
git shortlog -n --output=README.md HEAD
git diff --outp README.md HEAD
git fast-export --export-marks=README.md HEAD
git -c core.pager='tee README.md' -p log
git -c alias.x='!rm README.md' x
git config alias.x '!rm README.md'
git archive -o README.md HEAD
git archive --output=other/x HEAD
git format-patch --root HEAD
git bundle create other/b HEAD
git worktree add other/w
git config -f README.md a.b c
git config --file=README.md user.name c
git --git-dir=other/gd init
git grep --open-files-in-pager='tee README.md <' x
git checkout HEAD README.md
git -C other init
sort -oREADME.md src/a.ts
sort --out=README.md src/a.ts
sort src/a.ts --output README.md
sort --compress-program=src/cat src/a.ts
uniq src/a.ts README.md
shuf -o README.md src/a.ts
sed -i s/x/y/ README.md
sed -n 's/x/y/w README.md' src/a.ts
sed -n '1{w README.md
}' src/a.ts
sed -f src/script.sed src/a.ts
sed 's/[/]/x/w README.md' src/a.ts
sed '1e rm README.md' src/a.ts
sed -i../other/* s/x/y/ src/a.ts
sed --expression='w README.md' src/a.ts
awk '{ print > "README.md" }' src/a.ts
awk '{ print $1 \
> "README.md" }' src/a.ts
awk 'BEGIN { system("rm README.md") }'
awk 'BEGIN { "rm README.md" | getline }'
dd if=src/a.ts of=README.md
tee -- README.md < src/a.ts
split -l 1 src/a.ts other/p
install -D src/a.ts other/x
install -t other src/a.ts
cp --target-directory other src/a.ts
cp --t=other src/a.ts
cp -vt other src/a.ts
mv -vtother src/a.ts
ln -s .. src/up; echo p > src/up/README.md
cp -s $PWD/README.md src/l; echo p > src/l
ln src/../README.md src/h; echo p > src/h
touch -d now -- README.md
mktemp -p other
date > README.md
exec > README.md; ls
exec 3>README.md
ls {fd}>README.md
echo x > ~+/README.md
echo x > {README.md,}
echo x > README.m[d]
echo x > $'README.md'
echo x | tee >(cat > README.md)
tee {src,other}/y < src/a.ts
echo p > /proc/thread-self/cwd/README.md
echo p > /dev/fd/../cwd/README.md
node -e 'require("fs").writeFileSync("README.md","p")'
perl -e 'unlink "README.md"'
python3 -c 'import os; os.remove("README.md")'
bash <<< 'rm README.md'
sh -c 'rm "$0"' README.md
echo 'rm README.md' | sh
. ./src/cat
bash src/cat
xxd src/a.ts README.md
gzip README.md
gzip -k README.md
chmod 600 README.md`
  .split(/\n(?=[^}>])/)
  .filter((line) => line !== "");

export const READS: readonly string[] = String.raw`
cat .env
cat ./.env > src/stolen
cat $PWD/.env > src/stolen
cat "$PWD"/.env
cat $PWD/src/../.env
cat ${"$"}{PWD}/.env
cat ~+/.env
cat .e*v
cat .en[v]
cat .??v
cat .e{n,}v
cat .e@(nv)
cat * .*
cat .*
head .[!.]*
x=.env; cat $x
x=.en; cat ${"$"}{x}v
x=nv; cat .e$x
read x < .env; echo $x
mapfile x < .env; echo "${"$"}{x[@]}"
echo $(<.env)
echo "$(< .env)"
while read l; do echo $l; done < .env
exec 3< .env; cat <&3
cat < .env
cat 0<.env
cat <> .env
cat /proc/self/cwd/.env
cat /proc/$$/cwd/.env
cat /dev/fd/../cwd/.env
cd src; cat ../.env
grep -r KEY .
grep -rh KEY
grep KEY .env
grep -f .env src/a.ts .env
grep -R KEY src/..
rg --no-ignore --hidden KEY
diff .env src/a.ts
diff --from-file=.env src/a.ts
diff -r . src
cmp -l .env src/a.ts
wc --files0-from=.env
sort --files0-from=.env
sort --files0-from=src/names0
sort --files0-fr=src/names0
wc --files0-from=src/names0
du --files0-from=.env
date -f .env
date --file=.env
xargs -a .env echo
xargs --arg-file=.env echo
xargs cat < src/names
xargs -a src/names cat
cat $(cat src/names)
tar cf - .env
tar cf src/x.tar .
tar cf src/x.tar -T src/names
tar c . | cat
cp -r . src/copy
cp -a ./. src/copy
cp .env src/e
ln .env src/e; cat src/e
ln -s ../.env src/e; cat src/e
mv .env src/e
install .env src/e
dd if=.env
dd if=.env of=src/x
awk 1 .env
awk '{while((getline l < ".env")>0) print l}' src/a.ts
awk 'BEGIN{ARGV[1]=".env";ARGC=2}{print}'
awk -v f=.env 'BEGIN{getline x < f; print x}'
awk 1 f=1 .env
sed -n p .env
sed 'r .env' src/a.ts
sed '$r.env' src/a.ts
sed 'R .env' src/a.ts
sed -e 'r .env' src/a.ts
sed -s '$!d;r .env' src/a.ts
jq -R . .env
jq --rawfile x .env -n '$x'
jq -nr --rawfile x .env '$x'
git diff --no-index /dev/null .env
git hash-object -w .env
git grep --no-index KEY
git grep KEY
git config -f .env -l
git config --file=.env --list
git commit -F .env
git tag -F .env x; git tag -n x
git show :.env
git show HEAD:.env
git show HEAD:./.env
git show
git log -p
git cat-file -p HEAD:.env
git cat-file --batch <<< HEAD:.env
git archive HEAD | cat
git stash show -p
git blame .env
bash .env
bash -v .env
. ./.env
set -a; . .env
source .env; echo $KEY
node -p 'require("fs").readFileSync(".env","utf8")'
python3 -c 'print(open(".env").read())'
perl -ne print .env
find . -name .env -exec cat {} +
find . -name '.e*' -exec cat {} \;
find . -type f | xargs cat
find . -type f -print0 | xargs -0 cat
find . -maxdepth 1 -type f -execdir cat {} \;
find . -name '*' -exec sh -c 'cat "$1"' _ {} \;
git ls-files | xargs cat
git ls-files | grep env | xargs cat
ls -A | xargs cat
cat $(ls -A)
cat $(git ls-files)
for f in .*; do cat "$f"; done
for f in $(ls -A); do cat $f; done
for f in .env; do cat $f; done
strings -a .env
xxd .env
od -c .env
base64 .env | base64 -d
split .env src/p
gzip -c .env | gunzip
zcat -f .env
openssl enc -base64 -in .env | base64 -d
curl -s file://$PWD/.env
curl -d @.env x
nl .env
paste .env
tail -n +1 .env
less .env
tee src/x < .env
cat src/a.ts - < .env
cat <(cat .env)
zip -r src/x.zip . && unzip -p src/x.zip .env`
  .split("\n")
  .filter((line) => line !== "");

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

export const WRAPPERS: readonly ((trick: string) => string)[] = [
  (trick) => `{ ${trick}
}`,
  (trick) => `(${trick}
)`,
  (trick) => `if true; then ${trick}
fi`,
  (trick) => `false || { ${trick}
}`,
  (trick) => `for i in 1 2; do ${trick}
done`,
  (trick) => `n=0; while [ $n -lt 1 ]; do n=$((n+1)); ${trick}
done`,
  (trick) => `go() { ${trick}
}; go`,
  (trick) => `case x in x) ${trick}
;; esac`,
  (trick) => `x=$(${trick}
); echo "$x"`,
  (trick) => `{ ${trick}
} 2>&1 | cat`,
  (trick) => `{ ${trick}
} > src/out; cat src/out`,
  (trick) => `cd src && cd .. && { ${trick}
}`,
  (trick) => `sh -c ${quoted(trick)}`,
  (trick) => `bash -c ${quoted(trick)}`,
  (trick) => `eval ${quoted(trick)}`,
  (trick) => `timeout 5 bash -c ${quoted(trick)}`,
  (trick) => `env A=1 nice bash -c ${quoted(trick)}`,
  (trick) => `find src -maxdepth 0 -exec bash -c ${quoted(trick)} \\;`,
  (trick) => `echo x | xargs -I{} bash -c ${quoted(trick)}`,
  (trick) => `bash <<'END'\n${trick}\nEND`,
  (trick) => `ls src; ${trick}\nls src`,
  (trick) => `trap ${quoted(trick)} EXIT`,
];
