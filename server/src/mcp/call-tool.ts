import { fieldErrors } from '../model/field-errors.ts'
import { validatorOf } from '../model/validator.ts'
import { type Api, ApiFailure } from './api.ts'
import { type AnyTool, BadCall, type Toolset, UnknownTool } from './tool.ts'
import { TOOLS } from './tools.ts'

/** Calls a tool and returns its text. Every error has a message for the agent, unless it is a fault of ours. */
export async function callTool(name: string, given: unknown, api: Api): Promise<string> {
  const tool = findTool(name)
  const args = readArguments(tool, given)
  const toolset: Toolset = {
    pathOf(name, given) {
      const tool = findTool(name)
      return api.pathOf(tool.request(readArguments(tool, given), toolset))
    },
  }
  const { orElse } = tool
  try {
    return tool.render(await api.get(tool.request(args, toolset)), args)
  } catch (error) {
    if (orElse === undefined || !(error instanceof ApiFailure && error.status === 404)) throw error
    return orElse.render(await api.get(orElse.request(args, toolset)), args)
  }
}

function findTool(name: string): AnyTool {
  const tool = TOOLS.find((tool) => tool.name === name)
  if (tool !== undefined) return tool
  throw new UnknownTool(
    `There is no tool ${name.slice(0, 100)}; the tools are ${TOOLS.map(({ name }) => name).join(', ')}.`,
  )
}

const validators = new Map(TOOLS.map(({ name, input }) => [name, validatorOf(input)]))

/** Some clients send null or an empty text for arguments that are not given. */
function readArguments({ name, input }: AnyTool, given: unknown): Record<string, unknown> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new BadCall(`The arguments of ${name} must be an object.`)
  }
  const args = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== ''))
  const validator = validators.get(name)?.()
  if (validator?.Check(args)) return args
  const problems = fieldErrors(validator?.Errors(args) ?? []).map(({ field, message }) => `${field} ${message}`)
  const known = Object.keys(input.properties).join(', ')
  throw new BadCall(`Invalid arguments: ${problems.slice(0, 10).join('; ')}. ${name} takes ${known}.`)
}
