import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Installs a Debian package for the tests. Returns the reason if that failed. */
export async function installWithApt(name: string): Promise<string | undefined> {
  const apt = (...args: string[]) =>
    promisify(execFile)('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      maxBuffer: 64 * 1024 * 1024,
    })
  try {
    await apt('--version')
  } catch {
    return `${name} is not installed, and there is no apt-get to install it with`
  }
  console.error(`Installing ${name} for the tests with apt-get`)
  try {
    await apt('update')
    await apt('install', '--yes', '--no-install-recommends', name)
    return undefined
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    return `apt-get could not install ${name}: ${text.trim().split('\n').at(-1)}`
  }
}
