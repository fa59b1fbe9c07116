/** What the reference says about the API; reference.js makes it. */
declare module 'mintick:reference' {
  export interface Parameter {
    name: string
    /** What it does, in a sentence. */
    about: string
    type: 'string' | 'number' | 'boolean' | 'time' | 'choice'
    /** Whether several values may be given, separated by commas. */
    isList?: true
    values?: readonly string[]
  }

  export interface Endpoint {
    /** Parameter that raises the cost of a call. */
    dearer?: string
    parameters: readonly Parameter[]
  }

  /** Data endpoints by path, such as /entries/{id}. */
  export const ENDPOINTS: Readonly<Record<string, Endpoint>>
  /** What each kind of signal says. */
  export const SIGNAL_KINDS: Readonly<Record<string, string>>
}
