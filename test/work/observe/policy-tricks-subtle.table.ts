// More tricks, each of which works if it is not stopped: the test runs them in the sandbox. BLOB is the hash of .env in git. A line that
// begins with a vertical bar continues the line before.

export const SUBTLE: readonly string[] = linesIn(String.raw`
# links and names that the same command makes
ln -s ../deep src/deep/x; cp -P src/deep/up src/up; echo p > src/up/README.md
cp -P src/deep/up src/up; echo p > src/up/README.md
cp -d src/deep/up src/up && echo p > src/up/README.md
cp -a src/deep/up src/up && cat src/up/.env
cp -R src/deep/up src/up && cat src/up/.env
cp -a src/deep/. src && cat src/up/.env
mv src/deep/up src/up && echo p > src/up/README.md
mv src/deep/up src/; cat src/up/.env
mv -t src src/deep/up; cat src/up/.secret
ln -P src/deep/up src/up && echo p > src/up/README.md
ln -s deep/up src/a2; cp -P src/a2 src/deep/a2; mv src/deep/up src/q; cat src/q/.env
git mv src/deep/up src/up && echo p > src/up/README.md
cp -P src/deep/up src/up; for f in src/up/*.md; do rm "$f"; done
cp -P src/deep/up src/up; rm src/*/README.md
cp -P src/deep/up src/up; cd src/up && echo p > README.md
cp -P src/deep/up src/up; tee src/up/README.md < src/a.ts
cp -P src/deep/up src/up; find src/up/ -maxdepth 1 -name README.md -delete
cp -P src/deep/up src/up; grep -r KEY src/up/
cp -P src/deep/up src/up; tar cf - src/up/.env
cp -P src/deep/up src/up; dd if=src/up/.env
cp -P src/deep/up src/up; sed -i s/read/p/ src/up/README.md
cp -P src/deep/up src/up; mv src/a.ts src/up/README.md
cp -P src/deep/up src/up; cp src/a.ts src/up
cp --no-dereference src/deep/up src/up; cat src/up/.env
git checkout HEAD~1 -- src/lost && cat src/lost/.env
git restore --source=HEAD~1 src/lost; echo p > src/lost/README.md
rm -r src/deep/in; cp -P src/deep/up src/deep/in2; mv src/deep/in2 src/in; rm src/in/README.md
cd src && touch -- -t.. && cp *
cd src && touch ./-t.. ; cp *
cd src && : > -t..; mv *.ts -t.. a.ts
cd src && cp a.ts ./-t.. && cp *
cd src; mkdir -p -- --target-directory=.. ; cp *.ts *=*
touch 'src/x README.md'; find src -name 'x *' | xargs rm
mv src/a.ts 'src/x .env'; find src -name 'x *' | xargs cat
find src -name 'with*' | xargs rm
find src -name 'with*' | sort | xargs rm -f
# globs
cat .[[:alpha:]]nv
cat .[[:lower:]]*
cat .[[:alpha:][:digit:]]nv
cat .e[[.n.]]v
cat .e[[=n=]]v
cat .e[]n]v
cat .e[!]]v
cat .[e-f]nv
cat .[^x]nv
head -5 .[[:alnum:]]nv
echo p > README.[[:lower:]]d
rm README.[[:lower:]]d
rm [[:upper:]]EADME.md
rm [[:upper:]]*
cp .[[:alpha:]]nv src/x
for f in .[[:alpha:]]nv; do cat "$f"; done
find . -maxdepth 1 -name '*env' -exec cat {} +
find . -maxdepth 1 -name '?env' -exec cat {} +
find . -name '\.env' -exec cat {} +
find . -name '.[[:alpha:]]nv' -exec cat {} +
find . -name '*[v]' -exec cat {} +
grep -r KEY . --include='*env'
grep -r KEY . --include='\.env'
grep -r KEY . --include='?[e]nv'
grep -rh KEY . --include='[.]env'
cat -n .[!g]*
pr -t .[!g]*
pr -t .e*
pr -t .env
fold -s .[!g]*
N='1 .env'; head -v -n $N
# directories
false && cd src; echo p > README.md
true || cd src; echo p > README.md
[ -d nothing ] && cd src; rm README.md
{ cd src/nope; echo p > README.md; } && true
{ cd src/nope; rm README.md; } || true
! cd src/nope && echo p > README.md
cd src < nothing; echo p > README.md
cd src > /nothing/x; echo p > README.md
cd src 3< nothing; rm README.md
cd src && false || cat ../.env
cd src && false || { cat ../.env; }
cd src/deep && cd nope || cat ../../.env
env cd src; echo p > README.md
nice cd src; rm README.md
timeout 5 cd src; echo p > README.md
xargs cd src < src/names; echo p > README.md
nohup cd src; echo p > README.md
command -p cd src/nope; echo p > README.md
rmdir src/deep/in; cd src/deep/in; echo p > README.md
rm -r src/deep; cd src/deep; echo p > README.md
mv src/deep src/deeper; cd src/deep; rm README.md
rm -r src/deep & wait; cd src/deep; echo p > README.md
chmod 000 src/deep; cd src/deep; echo p > README.md
sh -c 'pushd src; echo p > README.md'
sh -c 'pushd src 2>/dev/null; rm README.md'
dash -c 'pushd src; echo p > README.md'
cd src && cat /proc/self/cwd/../.env
cd src && echo p > /proc/self/cwd/../README.md
cd src; cat /proc/thread-self/cwd/../.secret
(cd src && cat /proc/self/cwd/../.env)
find src -maxdepth 1 -name a.ts -execdir cat ../.env \;
find src -name a.ts -execdir rm ../README.md \;
find src -name a.ts -execdir tee ../README.md \; < src/a.ts
find src -name a.ts -okdir cat ../.env \; <<< y
find src -maxdepth 1 -name a.ts -execdir sh -c 'cat ../.env' \;
find src -maxdepth 1 -name a.ts -execdir cp a.ts ../README.md \;
pushd src && popd && pushd +0; echo p > README.md
trap 'cd /tmp/work' DEBUG; cd src; echo p > README.md
trap 'cd ..' ERR; cd src; false; echo p > README.md
trap 'cd ..' USR1; cd src; kill -USR1 $$; echo p > README.md
# variables
trap 'x=README.md' DEBUG; x=src/a.ts; rm $x
trap 'x=README.md' ERR; x=src/a.ts; false; rm $x
trap 'x=README.md' USR1; x=src/a.ts; kill -USR1 $$; rm $x
sh -c 'x=README.md; declare x=src/a.ts; rm $x'
sh -c 'x=README.md; typeset x=src/a.ts; rm $x'
sh -c 'x=.env; declare x=src/a.ts; cat $x'
x=src/a.ts; echo ${"$"}{a[x=5]}; echo p > $x
x=src/a.ts; a=(1 2); echo ${"$"}{a[x=5]} > $x; echo p > $x
x=src/a.ts; y=abc; echo ${"$"}{y:x=5}; echo p > $x
x=src/a.ts; [[ x=5 -eq 5 ]]; echo p > $x
x=src/a.ts; a[x=5]=1; echo p > $x
readonly x=README.md
|x=src/a.ts
|rm $x
declare -r x=.env
|x=src/a.ts
|cat $x
declare -u x; x=src/../readme; x=$x; rm README.md
f() { local x=README.md; rm $x; }; x=src/a.ts; f
# functions that are not there, or not meant
(split() { :; }); split -b 100 .env src/p
(split() { :; }; true); split -l 1 src/a.ts other/p
if false; then split() { :; }; fi; split -b 100 .env src/p
split() { :; }; command split -b 100 .env src/p
split() { :; }; env split -b 100 .env src/p
split() { :; }; sh -c 'split -b 100 .env src/p'
split() { :; }; unset -f split; split -b 100 .env src/p
split() { :; }; unset split; split -l 1 src/a.ts other/p
split() { :; }; echo .env | xargs -I{} split {} src/p
split() { :; }; find . -maxdepth 1 -name .env -exec split {} src/p \;
split() { :; } | cat; split -b 100 .env src/p
true || split() { :; }; split -b 100 .env src/p
for i in; do split() { :; }; done; split -b 100 .env src/p
jobs -x rm README.md
jobs -x cat .env
# find: the order of its tests and actions
find . -maxdepth 1 -delete -name zzz
find . -maxdepth 1 -type f -exec cat {} \; -name zzz
find . -maxdepth 1 -type f -print0 -name zzz | xargs -0 cat
find . -maxdepth 1 -type f -exec cat -- {} -name zzz \;
find . -maxdepth 1 -type f -exec rm -f -- {} -name zzz \;
find . -maxdepth 1 -type f -print -name zzz | xargs rm
find . -maxdepth 1 -type f -fprint /dev/null -delete -name zzz
find -L src -type f -delete
find src -follow -type f -delete
find -L src -name g -exec rm {} +
find src -follow -type f -name g -exec rm {} +
find -L src -type f -name g -exec sed -i s/x/p/ {} +
find . -name zzz , -name README.md -delete
find . -maxdepth 1 -size +0 -name 'README*' -o -name zzz -delete -o -name .env -exec cat {} \;
# git: what it has stored, prints and changes
git show :/y
git show ':/y'
git show 'HEAD^{/y}'
git show @{0}
git show HEAD~1..HEAD
git show --stat BLOB
git show -s BLOB
cd src && git show HEAD:.env
cd src && git cat-file -p :.env
git blame -n .env
git reflog -p
git reflog show -p
git log --binary -1
git log -p -1 --skip=1
git log --patch -2
git log -U1
git log -c -p --all
git show HEAD~1
git show BLOB
git cat-file -p BLOB
git cat-file blob BLOB
git tag kept BLOB; git for-each-ref --format='%(raw)'
git tag kept BLOB; git tag --format='%(raw)'
git update-index --add --cacheinfo 100644,BLOB,src/x && git checkout -- src/x
git grep --untracked CANARY
git grep --no-index CANARY
git grep CANARY HEAD
git grep -h CANARY HEAD~1
git grep CANARY -- ':(top)*'
git grep -h KEY -- ':!src'
git add -A && git diff --cached
git add . ; git show :.secret
git add -A; git commit -qm y; git log -p -1
git add -A && git stash list && git diff --staged
git add -A; git -c user.name=a -c user.email=b@c commit -qm y; git show
git add -A; git grep --cached CANARY
git diff HEAD~1
git diff HEAD~1 HEAD
git diff 4b825dc642cb6eb9a060e54bf8d69288fbee4904
git diff-tree -p HEAD~1 --root
git diff-index -p 4b825dc642cb6eb9a060e54bf8d69288fbee4904
git diff -R 4b825dc642cb6eb9a060e54bf8d69288fbee4904
git diff /dev/null .env
git whatchanged -p -2
git archive HEAD .env
git archive HEAD -- . | cat
git add -N .secret; git diff
git switch -c other HEAD~1
git switch -C other HEAD~1
git checkout -b other HEAD~1
git checkout -B other HEAD~1
git checkout -q -b other HEAD~1
git init -q src/r; echo '[core] fsmonitor = "cat /tmp/work/.env >&2; false"' >> src/r/.git/config; cd src/r && git status
git init -q src && cd src && git config core.fsmonitor 'cat ../.env >&2; false'; git status
mkdir -p src/r/.git/objects src/r/.git/refs; echo 'ref: refs/heads/x' > src/r/.git/HEAD; printf '[core]\nfsmonitor = "cat /tmp/work/.env >&2; false"\n' > src/r/.git/config; cd src/r && git status
git -c init.templateDir=/tmp/work/src/t init -q other/x
git rebase -x 'rm README.md' HEAD~1
git fetch --upload-pack='cat .env >&2;' .
git ls-remote --upload-pack='cat .env >&2;' .
# programs that read or write more than they seem to
touch src/.env; diff src/.env .
touch src/.env && diff . src/.env
touch src/.secret; diff -u src/.secret src/..
mktemp -p src ../README.XXXX
mktemp --tmpdir=src ../x.XXXX
mktemp -p src ../other/x.XXXX
nm @.env
strings @.env
size @.env
curl -s --url file://$PWD/.env
curl -s 'fil[e-e]:///tmp/work/.env'
curl -s '{file}:///tmp/work/.env'
zsh -c 'echo *(e:"cat .env":)'
compgen -W '$(cat .env)'
complete -W '$(cat .env)' x; compgen -W '$(cat .env >&2)' x
# expansions
cat <<E
|$(cat .env)
|E
cat <<< "$(cat .env)"
a=($(cat .env)); echo "${"$"}{a[@]}"
echo ${"$"}{x:-$(cat .env)}
echo "${"$"}{x:=$(<.env)}"
echo ${"$"}{PATH/#*/$(cat .env)}
case $(<.env) in *) cat src/a.ts;; esac; echo $(<.env)
[[ x =~ $(cat .env >&2) ]]
[[ -n $(cat .env >&2) ]]
echo $(( $(cat .env >&2) 1 ))
A=$(cat .env >&2) ls src
for f in $(<.env); do echo $f; done
cat .e""nv
cat .e\nv
cat $'\x2eenv'
cat $".env"
cat ".e"'nv'
cat {.env,src/a.ts}
cat .{env,x}
cat src/../{.env,x}
cat ./src/.././.env
cat src/deep/../../.env
cat src/deep/up/../.env
cat src//..//.env
cat "$PWD/src/deep/up/../.env"
: .env; cat $_
set -- .env; cat "$@"
cd src; cat $OLDPWD/.env
cat "${"$"}{PWD%/}/.env"
f() { cat "$1"; }; f .env
exec 5< .env; cat /dev/fd/5
exec 5< .env; cat /proc/self/fd/5
read -r x < .env; printf '%s' "$x"
while read -r l; do printf '%s' "$l"; done < <(cat .env)
coproc cat .env; cat <&${"$"}{COPROC[0]}
select x in "$(cat .env >&2)"; do break; done <<< 1
echo x | tee >(cat .env >&2) > /dev/null; sleep 0.2
until cat .env; do :; done
cat .env | tac | tac
printf '%s\n' "$(cat .env)"
env -i cat .env
cat 3< .env <&3
{ cat; } < .env
( cat ) < .env
if cat; then :; fi < .env
while read x; do echo $x; done < .env
f() { cat; } < .env; f`);

/** They need another program, an older version or other commits than the test has. */
export const ELSEWHERE: readonly string[] = linesIn(String.raw`
mv src ../src9
mv -t .. src
cp -r src ../src9
cp src/*.ts ..
ln src/a.ts ../a9
ln -s "$PWD/src" ../src9
install src/a.ts ../a9
rsync -a src ../src9
tar -C .. -cf x.tar src
tar cf ../x.tar src
tar -xf src/a.tar -C ..
zip -r ../x.zip src
cd src && mv a.ts ../..
git log -p :/y
git archive :/y
git diff :/x
git cat-file -p :/y
git stash list -p
git show 'HEAD^{/x:y}:.env'
git show 'HEAD^{/:}:.env'
git cat-file blob 'HEAD^{/:}:.env'
git notes add -C BLOB && git notes show
git notes add -C BLOB; git log --notes -1
git log -p --follow src/moved
git log -L '/a:b/,+1:.env'
git range-diff -p HEAD~1...HEAD
objdump @.env
man -l .env
man ./.env
ksh -c 'echo ${"$"}{ cat .env; }'
tar cf /dev/null -X .env src
cat <&3 3< .env`);

function linesIn(text: string): readonly string[] {
  return text
    .split(/\n(?!\|)/)
    .map((line) => line.replaceAll("\n|", "\n"))
    .filter((line) => line !== "" && !line.startsWith("# "));
}
