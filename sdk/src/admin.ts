/** The operator API: accounts, imports, sources, tokens and maintenance. */
export * from './generated/admin.ts'
