import type { Db } from '../../../db/open'
import type { Actor } from '../../../domain/actor'
import { findCompanyOf, findPerson } from './persons.queries'

/** Finds a person with the company for which it acts. */
export async function findActor(db: Db, personId: number): Promise<Actor | undefined> {
  const person = await findPerson(db, personId)
  if (!person || person.memberOf === null) return person && Object.freeze(person)
  const company = await findCompanyOf(db, person)
  return company && Object.freeze({ ...company, person: Object.freeze(person) })
}
