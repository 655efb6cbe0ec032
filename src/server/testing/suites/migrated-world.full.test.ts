import { matrixCalls } from '../stages/transports'
import { tryMigratedWorld } from './migrated-world'

tryMigratedWorld(matrixCalls)
