/** Why something that came in is not taken. */
export class Refused extends Error {}
