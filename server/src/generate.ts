export function generate(_check: boolean): boolean {
  return true
}
