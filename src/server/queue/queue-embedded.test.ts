import { pino } from 'pino'

import { createEmbeddedQueue } from './queue-embedded'
import { describeQueue } from './queue.contract'

describeQueue('the embedded queue', async () => {
  const queue = createEmbeddedQueue(pino({ level: 'silent' }))
  return { queue, close: () => queue.close(0) }
})
