/** Why a feed address does not answer a reader that knows it. */
export const READ_REFUSALS = ['expired', 'network', 'password-missing', 'password-wrong'] as const
export type ReadRefusal = (typeof READ_REFUSALS)[number]

/** The user name that is proposed beside the password of a feed address; any other one works too. */
export const ADDRESS_USER_NAME = 'feed'
/** So long before its end a feed address is told of. */
export const ADDRESS_NOTICE_DAYS = 14
