import type { ActorKind } from './access-matrix/actors'
import type { World } from './world'

/** The input of a call: its path parameters, and the rest. */
export type Sample = { params?: Record<string, number | string>; body?: Record<string, unknown> }
export type Sampler = (world: World, actor: ActorKind) => Sample | Promise<Sample>
