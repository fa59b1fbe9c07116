import { OperatorError } from '../config.ts'
import { diskProblem } from '../store/engines/disk-problem.ts'

/** Runs `work`. If the disk of the folder is full, or the folder cannot be used, the error is a line that says so. */
export async function onDiskOf<T>(folder: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const problem = diskProblem(folder, error)
    throw problem === undefined ? error : new OperatorError(problem)
  }
}
