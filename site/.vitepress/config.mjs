// The site: what is where, in the order in which a newcomer reads.
import {defineConfig} from 'vitepress';

const page = (text, name) => ({text, link: `/docs/${name}`});

// As the places that hold the project show headings, so that links to them hold here as well.
const slugify = (heading) => heading.trim().toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');

export default defineConfig({
  title: 'Everheap',
  description: 'Java data that outlives the process',
  srcDir: 'src',
  outDir: 'out',
  base: process.env.EVERHEAP_SITE_BASE ?? '/',
  lastUpdated: false,
  ignoreDeadLinks: [/^\/api\//], // the javadoc, which the checker of links reads
  markdown: {anchor: {slugify}},
  vite: {build: {chunkSizeWarningLimit: 4000}},
  themeConfig: {
    outline: [2, 3],
    search: {provider: 'local'},
    nav: [
      {text: 'Guide', link: '/docs/guide'},
      {text: 'Javadoc', link: '/javadoc'},
      {text: 'Benchmarks', link: '/docs/benchmarks'},
      {text: 'Changelog', link: '/CHANGELOG'},
    ],
    sidebar: [
      {text: 'Begin', items: [
        {text: 'What it is', link: '/'}, page('Guide', 'guide'), {text: 'Samples', link: '/samples/'},
        page('Objects', 'objects'), page('Coming from another library', 'migrating')]},
      {text: 'Use it with', items: [
        page('A cache', 'cache'), page('JCache', 'jcache'), page('Spring', 'spring'),
        page('Infinispan', 'infinispan'), page('Cassandra', 'cassandra'), page('A store of several heaps', 'store')]},
      {text: 'Operate it', items: [
        page('Commands', 'commands'), page('Console', 'console'), page('Backups', 'backup'),
        page('Replication', 'replication'), page('Damage', 'damage'), page('Metrics, events and logs', 'observing')]},
      {text: 'Trust it', items: [
        page('What survives, and the tests', 'durability'), page('Testing your code', 'testing-under-crashes'),
        page('Benchmarks', 'benchmarks'), page('How it is measured', 'benchmarking'), page('All figures', 'benchmark-tables')]},
      {text: 'Inside', collapsed: true, items: [
        page('Architecture', 'architecture'), page('Format of a heap', 'format'),
        page('Format of a journal', 'journal-format'), page('Counters', 'counters'),
        page('Decisions', 'decisions'), {text: 'Contributing', link: '/CONTRIBUTING'}]},
      {text: 'Javadoc', link: '/javadoc'},
    ],
  },
});
