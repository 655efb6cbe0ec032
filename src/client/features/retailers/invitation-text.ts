/** A retailer's login, with the password while it is still known. */
export interface NewLogin {
  storeName: string
  username: string
  password: string
}

/** Who invites, and to which address. */
export interface Invitation {
  companyName: string | null
  address: string
}

/** The text by which a supplier tells a retailer its login. */
export function writeInvitation(login: NewLogin, { companyName, address }: Invitation): string {
  return [
    `Hello ${login.storeName},`,
    '',
    `your inventory${companyName ? ` from ${companyName}` : ''} is ready for you:`,
    '',
    `Address: ${address}`,
    `Username: ${login.username}`,
    `Password: ${login.password}`,
    '',
    'Once you have signed in, you can change the password under Settings.',
  ].join('\n')
}

/** The logins and invitations of several retailers, as the rows of a table with a header. */
export function toLoginRows(logins: readonly NewLogin[], invitation: Invitation): string[][] {
  return [
    ['Store Name', 'Username', 'Password', 'Invitation'],
    ...logins.map((login) => [
      login.storeName,
      login.username,
      login.password,
      writeInvitation(login, invitation),
    ]),
  ]
}
