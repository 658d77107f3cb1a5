/** The rooms of the house (docs/architecture.md) and the arrows between them: what is not allowed here is an error. */

const room = (...names) => `^(${names.join('|')})/`;
const npm = (...names) => [`(^|/)node_modules/(${names.join('|')})/`];
const anyPackage = ['(^|/)node_modules/'];
const port = '^adapters/[^/]+/port\\.ts$';
/** Lists files on this machine's disk: no service that could be another one, so no port. */
const sources = '^adapters/sources/';

/**
 * Per room: `path` where it is not the folder of its name; `local` are paths it may import besides its own, `types`
 * paths it may import types from; `packages` the npm packages, all where the room brings its own libraries (then the
 * table of homes below rules); `node` whether it may use Node's modules.
 */
const rooms = {
  domain: { packages: npm('zod', 'stemmer') },
  workflows: {
    local: [room('domain')],
    types: [room('activities'), port],
    packages: npm('@temporalio/workflow', '@temporalio/common'),
  },
  activities: {
    local: [room('domain'), port, sources],
    packages: npm('@temporalio/activity', '@temporalio/common', '@streamparser/json', 'zod'),
    node: true,
  },
  adapters: { local: [room('domain')], packages: anyPackage, node: true },
  worker: { local: [room('domain', 'workflows', 'activities', 'adapters')], packages: anyPackage, node: true },
  client: {
    path: '^client/(?!cli/)',
    // Messages and search attributes are defined as values; the workflows themselves are only known by their type.
    local: [room('domain'), '^workflows/(messages|search-attributes)\\.ts$', sources],
    types: [room('workflows'), '^adapters/store/port\\.ts$'],
    packages: anyPackage,
    node: true,
  },
  // The command line is a program on top of the client, and the one that starts and inspects a stack of its own.
  cli: { path: '^client/cli/', local: [room('domain', 'client', 'launcher')], packages: anyPackage, node: true },
  api: {
    local: [room('domain', 'client')],
    types: ['^adapters/(store|index)/port\\.ts$'],
    packages: anyPackage,
    node: true,
  },
  // The composition root: it wires everything.
  launcher: { local: ['^(?!test/|bench/|scripts/|bin/|client/cli/)[^/]+/'], packages: anyPackage, node: true },
  bin: { local: [room('launcher', 'client')], node: true },
  // The page knows the HTTP API only.
  web: {},
  // Data, with what reads and checks it.
  policies: { local: [room('domain')], packages: npm('zod'), node: true },
  prompts: { local: [room('domain')], packages: npm('zod', 'yaml'), node: true },
};

const error = (name, from, to) => ({ name, severity: 'error', from: { path: from }, to });

/** The rules of one room, named after it: their names are what a person reads first. */
function rulesOf([name, { path, local = [], types = [], packages = [], node = false }]) {
  const own = path ?? room(name);
  const values = [own, ...local, ...packages];
  const rules = [
    error(`${name}-reaches-too-far`, own, { pathNot: [...values, ...types], dependencyTypesNot: ['core'] }),
  ];
  if (types.length > 0) {
    const asValues = { path: types, pathNot: values, dependencyTypesNot: ['type-only'] };
    rules.push(error(`${name}-takes-types-only`, own, asValues));
  }
  if (!node) rules.push(error(`${name}-is-without-node`, own, { dependencyTypes: ['core'] }));
  return rules;
}

/** Libraries at home in one folder: nobody else talks to what they talk to, so their errors are mapped in one place. */
const homes = [
  ['elasticsearch-at-home', npm('@elastic'), '^adapters/(index|store/evidence)/'],
  ['sqlite-vec-at-home', npm('sqlite-vec'), '^adapters/index/'],
  ['model-libraries-at-home', npm('openai', '@anthropic-ai', 'onnxruntime-node', '@huggingface'), '^adapters/models/'],
  ['redis-at-home', npm('redis', '@redis'), '^adapters/store/'],
  ['web-at-home', npm('undici', 'robots-parser', 'ipaddr\\.js', 'playwright-core'), '^adapters/web/'],
  ['webhooks-at-home', npm('standardwebhooks'), '^adapters/notify/'],
  ['express-at-home', npm('express'), '^api/'],
  ['temporal-worker-at-home', npm('@temporalio/worker'), '^worker/'],
  ['temporal-client-at-home', npm('@temporalio/client'), '^(client|worker)/'],
  ['command-line-at-home', npm('commander', 'cli-progress', 'picocolors'), '^client/cli/'],
];

export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Files that need each other are one concept, or lack a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'declared',
      comment: 'Only packages that package.json names.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-dev-dependency-in-the-product',
      severity: 'error',
      from: { path: room(...Object.keys(rooms)) },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'adapters-apart',
      comment: 'An adapter knows nothing of another port but the types in its port.ts.',
      severity: 'error',
      from: { path: '^adapters/([^/]+)/' },
      to: { path: '^adapters/', pathNot: '^adapters/$1/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'adapters-know-ports-only',
      severity: 'error',
      from: { path: '^adapters/([^/]+)/' },
      to: { path: '^adapters/', pathNot: ['^adapters/$1/', port] },
    },
    ...Object.entries(rooms).flatMap(rulesOf),
    ...homes.map(([name, packages, home]) => ({
      name,
      severity: 'error',
      from: { path: room(...Object.keys(rooms)), pathNot: [home, room('launcher')] },
      to: { path: packages },
    })),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(coverage|test/[^/]+/server/target)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
};
