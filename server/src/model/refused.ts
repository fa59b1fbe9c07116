/** The reason why a record is not imported. */
export class Refused extends Error {}
