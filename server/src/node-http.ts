/**
 * node:http for values; types come from `import type`. An import statement would read all its exports and thereby load
 * Node's fetch, which costs each start 50 ms.
 */
export const http = process.getBuiltinModule('node:http')
