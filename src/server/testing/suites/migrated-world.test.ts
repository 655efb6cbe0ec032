import { matrixCalls } from '../stages/transports'
import { tryMigratedWorld } from './migrated-world'

const EVERY = 25

tryMigratedWorld(matrixCalls.filter((_, place) => place % EVERY === 0))
