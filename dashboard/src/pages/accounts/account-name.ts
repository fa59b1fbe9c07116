import type { AdminAccount } from 'mintick-client/admin'

/** Returns what people call an account. */
export const nameOf = ({ name, email, id }: Pick<AdminAccount, 'name' | 'email' | 'id'>): string => name ?? email ?? id
