import type { Socket } from 'node:net'

import type { Home } from '../messages'
import type { Visitor } from './door'

/** A connection, in as little memory as it can. */
export interface Guest extends Visitor {
  socket: Socket
  session: number
  home?: Home
  lastRequestAt: number
  tries: number
  rekeys: number
  channels: number
  served?: { end(): void }
}
