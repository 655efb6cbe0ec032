import { createRestClient } from './rest-client'

// Signs in COUNT times at once and prints the statuses. Runs in its own process so that it does not
// slow down the measuring test.
// node --import tsx concurrent-logins.ts URL USERNAME PASSWORD COUNT
const [url = '', username, password, count] = process.argv.slice(2)
const responses = await Promise.all(
  Array.from({ length: Number(count) }, () =>
    createRestClient(url).send('POST', '/api/login', { username, password }),
  ),
)
process.stdout.write(JSON.stringify(responses.map(({ status }) => status)))
