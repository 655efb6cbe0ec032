import type { MemberRole } from '../../shared/constants'
import { call } from './mail-address'
import { createRestClient } from './rest-client'
import { PASSWORD, type Stage, type Supplier } from './stage'

type Company = Pick<Supplier, 'rest'>

/** Invites a retailer by a link that is shown; returns its path. */
export const inviteRetailer = ({ rest }: Company, storeName: string): Promise<string> =>
  invite(rest, 'invitations.inviteRetailer', { storeName })

interface Invited {
  name: string
  role: MemberRole
}

/** Invites somebody to the people of a company by a link that is shown; returns its path. */
export const invitePerson = ({ rest }: Company, person: Invited): Promise<string> =>
  invite(rest, 'invitations.invitePerson', person)

/** Adds somebody who signs in for a company. */
export async function addPerson(
  { product }: Stage,
  company: Company,
  { username, ...person }: Invited & { username: string },
): Promise<void> {
  const path = await invitePerson(company, person)
  const account = { token: path.split('=')[1], username, password: PASSWORD }
  await call(createRestClient(product.url), 'invitations.accept', account)
}

/** An owner of a company that has signed in. */
export async function signInOwner({ product }: Stage, username: string): Promise<Company> {
  const rest = createRestClient(product.url)
  await rest.signIn(username, PASSWORD)
  return { rest }
}

async function invite(rest: Company['rest'], procedure: string, input: object): Promise<string> {
  return ((await call(rest, procedure, input)) as { path: string }).path
}
