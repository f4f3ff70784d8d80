// Follows all links within the site, and names those that lead nowhere: pages, places in pages, pictures.
import {LinkChecker} from 'linkinator';

const broken = [];
const checker = new LinkChecker();
checker.on('link', (link) => {
  if (link.state === 'BROKEN') broken.push(`${link.parent}: ${link.url} (${link.status})`);
});
const {links} = await checker.check({
  path: './',
  serverRoot: process.argv[2],
  recurse: true,
  checkFragments: true,
  checkCss: true,
  concurrency: 20,
  timeout: 60_000,
  // Nothing outside; of the javadoc, which doclint checks, the first page of each artifact.
  linksToSkip: ['^https?://(?!localhost)', '^http://localhost:[0-9]+/api/[^/]+/(?!index[.]html)'],
});
broken.forEach((line) => console.error(`dead link: ${line}`));
console.log(`${links.length} links, ${broken.length} dead`);
process.exit(broken.length === 0 && links.length > 100 ? 0 : 1);
