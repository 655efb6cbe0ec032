import { createRestClient } from './rest-client'

// A process of its own, so that whoever measures meanwhile is not slowed down by it: signs in COUNT
// times at once and prints the statuses. node --import tsx log-in-at-once.ts URL USERNAME PASSWORD COUNT
const [url = '', username, password, count] = process.argv.slice(2)
const answers = await Promise.all(
  Array.from({ length: Number(count) }, () =>
    createRestClient(url).send('POST', '/api/login', { username, password }),
  ),
)
process.stdout.write(JSON.stringify(answers.map(({ status }) => status)))
