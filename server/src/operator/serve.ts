/** The words on the screen when the server starts. */
export function startBanner(url: string, ownerKey: string | undefined): string {
  const lines = ['', `Mintick is ready at ${url}`, '']
  if (ownerKey !== undefined) {
    lines.push(`Your owner key, shown this once:  ${ownerKey}`, '')
  }
  lines.push('Try it:', `  curl -H "Authorization: Bearer mtk_demo" "${url}/api/v1/entries?limit=1"`, '', '')
  return lines.join('\n')
}
