// Copies the Markdown files, and what they show, to the directory of the site's source. A link to any
// other file of the project leads to a page with that file.
import {cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {dirname, extname, join, posix, resolve} from 'node:path';

const [root, to] = process.argv.slice(2).map((path) => resolve(path));
const PAGES = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'samples/README.md',
  ...readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];
const LANGUAGES = {'.kt': 'kotlin', '.mjs': 'js', '.yml': 'yaml'};
const HIGHLIGHTED = new Set(['.java', '.kt', '.xml', '.json', '.yml', '.yaml', '.properties', '.sh', '.mjs']);
const shown = new Set();

/** The page of a file or a directory that is no page itself; made once. */
function show(path) {
  const page = `files/${path}.md`;
  if (!shown.has(path)) {
    shown.add(path);
    const file = join(root, path);
    const name = posix.basename(path);
    write(page, statSync(file).isDirectory() ? list(path, page) : `---\nsearch: false\n---\n# ${name}\n\n\`${path}\`\n\n${fence(file)}`);
  }
  return page;
}

function fence(file) {
  const text = readFileSync(file, 'utf8');
  const extension = extname(file);
  const ticks = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const language = HIGHLIGHTED.has(extension) ? LANGUAGES[extension] ?? extension.slice(1) : 'text';
  return `${ticks}${language}\n${text}\n${ticks}\n`;
}

function list(path, page) {
  const names = readdirSync(join(root, path)).filter((name) => name !== 'target' && !name.startsWith('.')).sort();
  const lines = names.map((name) => `- [${name}](${link(page, target(`${path}/${name}`))})`);
  return `---\nsearch: false\n---\n# ${posix.basename(path)}\n\n\`${path}\`\n\n${lines.join('\n')}\n`;
}

/** What the site calls a page. */
const named = (page) => page.replace(/(^|\/)README\.md$/, '$1index.md');

const link = (from, page) => encodeURI(posix.relative(posix.dirname(from), page) || posix.basename(page));

/** Where the site has a path of the project. */
function target(path) {
  if (PAGES.includes(path) || path.startsWith('docs/charts/')) return named(path);
  if (PAGES.includes(`${path}/README.md`)) return named(`${path}/README.md`);
  return show(path);
}

function write(page, text) {
  mkdirSync(dirname(join(to, page)), {recursive: true});
  writeFileSync(join(to, page), text);
}

/** The text with its links as the site has them; code stays as it is. */
function rewritten(page, text) {
  let fenced = false;
  return text.split('\n').map((line) => {
    if (/^\s*```/.test(line)) fenced = !fenced;
    return fenced ? line : line.replace(/\]\(([^)\s#]+)(#[^)\s]*)?\)/g, (whole, path, anchor = '') => {
      if (/^[a-z]+:/.test(path)) return whole;
      const file = posix.normalize(posix.join(posix.dirname(page), path));
      if (file.startsWith('..') || !existsSync(join(root, file))) throw new Error(`${page}: ${path} leads nowhere`);
      return `](${link(page, target(file))}${anchor})`;
    });
  }).join('\n');
}

rmSync(to, {recursive: true, force: true});
for (const page of PAGES) write(named(page), rewritten(page, readFileSync(join(root, page), 'utf8')));
cpSync(join(root, 'docs/charts'), join(to, 'docs/charts'), {recursive: true});

/** A list of the modules with javadoc; the argument behind the directories names theirs. */
const api = process.argv[4] ? resolve(process.argv[4]) : null;
const modules = api && existsSync(api) ? readdirSync(api).sort() : [];
const description = (artifact) => {
  for (const name of readdirSync(root)) {
    const pom = join(root, name, 'pom.xml');
    if (existsSync(pom)) {
      const text = readFileSync(pom, 'utf8').replace(/<parent>[^]*?<\/parent>/, '');
      if (text.includes(`<artifactId>${artifact}</artifactId>\n`) && text.indexOf(`<artifactId>${artifact}<`) === text.indexOf('<artifactId>')) {
        return (/<description>([^]*?)<\/description>/.exec(text)?.[1] ?? '').replace(/\s+/g, ' ').trim();
      }
    }
  }
  return '';
};
write('javadoc.md', `# Javadoc\n\n| artifact | what it is |\n|---|---|\n${modules
  .map((name) => `| <a href="/api/${name}/index.html" target="_self">${name}</a> | ${description(name)} |`).join('\n')}\n`);
console.log(`${PAGES.length} pages, ${shown.size} files of the project, javadoc of ${modules.length} artifacts`);
