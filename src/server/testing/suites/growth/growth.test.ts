import { expect, it } from 'vitest'

import { procedurePaths } from '../../../api/procedures'
import { routeRoles } from '../../../api/route-roles'
import { resultSchemas } from '../../../files/children/reader/messages'
import { cases } from './cases'

it.each([
  ['route', Object.keys(routeRoles)],
  ['call', procedurePaths],
  ['task', Object.keys(resultSchemas)],
])('the growth of every %s is measured', (kind, names) => {
  const wanted = names.map((name) => `${kind} ${name}`)
  expect(wanted.filter((name) => !cases[name])).toEqual([])
})
