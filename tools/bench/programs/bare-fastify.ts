// Answers with a user of the product's database, read with the product's driver and query, and does
// nothing else: no session, no roles, no limits, no log.
import type { AddressInfo } from 'node:net'

import Fastify from 'fastify'

import { openDatabase } from '../../../src/server/db/open'
import { findUser } from '../../../src/server/features/people/accounts/users.queries'

const [databaseFile = '', userId = ''] = process.argv.slice(2)
const db = openDatabase(databaseFile)
const app = Fastify()
app.get('/user', () => findUser(db, Number(userId)))
await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ port: (app.server.address() as AddressInfo).port })
process.on('disconnect', () => process.exit())
