/** The parts of the reference that pages need; reference.js makes them. */
declare module 'mintick:reference' {
  export interface Parameter {
    name: string
    /** Its description, in a sentence. */
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
  /** The meaning of each kind of signal. */
  export const SIGNAL_KINDS: Readonly<Record<string, string>>
}
