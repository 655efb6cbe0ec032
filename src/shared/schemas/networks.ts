import { z } from 'zod'

import { boundedList, upTo } from './bounds'

/** Longer than any network in any spelling. */
const NETWORK_MAX_LENGTH = 60
const MAX_NETWORKS = 20

/** The networks from which alone something may be used; empty for any. */
export const networksSchema = boundedList(
  z
    .string('A network must be a text')
    .trim()
    .max(...upTo('A network', NETWORK_MAX_LENGTH)),
  {
    error: 'The networks must be a list',
    max: MAX_NETWORKS,
    tooMany: `Enter at most ${MAX_NETWORKS} networks`,
  },
)
