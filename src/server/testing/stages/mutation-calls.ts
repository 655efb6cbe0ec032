import type { ProcedurePath } from '../../api/procedures'
import { makeSample } from '../fixtures/samples'
import { ACTORS, type ActorKind } from '../suites/access-matrix/actors'
import { callOver, matrixCalls, typeOf, type MatrixCall } from './transports'
import type { World } from './world'

/** What has to be done first, so that a call has something to change. */
const PREPARATIONS: Partial<Record<ProcedurePath, (world: World) => Promise<unknown>>> = {
  'connections.cancelSync': ({ clients, connectionId: id }) =>
    clients.owningSupplier.call('mutation', 'connections.sync', { id }),
  'retailers.updateDeliveryPreferences': ({ testApp }) =>
    testApp.deps.db.updateTable('retailers').set({ fileFormat: 'XML' }).execute(),
  'viewings.stop': ({ clients, supplier }) =>
    clients.administrator.call('mutation', 'viewings.begin', { userId: supplier.id }),
  'cronJobs.restore': ({ clients }) =>
    clients.administrator.call('mutation', 'cronJobs.delete', { name: 'backup' }),
}

/** Callers without whom a call changes nothing. */
const CALLERS: Partial<Record<ProcedurePath, ActorKind>> = {
  'session.logout': 'owningSupplier',
  'viewings.stop': 'administrator',
}

/** A call of a mutation over a transport, by somebody who may make it. */
export type MutationCall = MatrixCall & { actor: ActorKind }

/** Every mutation over every transport, but for those that nobody can call without help. */
export const mutationCalls: MutationCall[] = matrixCalls.flatMap((call) => {
  const first = ACTORS.find((kind) => call.row.expect[kind] < 300)
  const actor = (call.row.procedure && CALLERS[call.row.procedure]) ?? first
  const isCalled = actor && call.row.procedure && typeOf(call.row) === 'mutation'
  return isCalled ? [{ ...call, actor }] : []
})

/** Prepares a world for a call. @returns a function that makes it */
export async function prepareCall(world: World, { row, transport, actor }: MutationCall) {
  const sample = await makeSample(row, world, actor)
  await PREPARATIONS[row.procedure!]?.(world)
  const { app, client } = world.testApp
  const caller = client(world.clients[actor].cookie)
  return () => callOver(app, transport, row, caller, sample)
}
