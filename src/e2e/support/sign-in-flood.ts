// Signs in 80 times at once, from as many addresses, repeatedly until it is killed, and prints the
// statuses of each wave as a line of JSON. Runs in its own process so that it does not slow down
// the measuring test.
// node --import tsx sign-in-flood.ts URL PASSWORD USERNAME…
const AT_ONCE = 80

const [url = '', password, ...usernames] = process.argv.slice(2)

async function signIn(index: number): Promise<number> {
  const response = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `203.0.113.${index}`,
    },
    body: JSON.stringify({ username: usernames[index % usernames.length], password }),
  })
  await response.text()
  return response.status
}

for (;;) {
  const statuses = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => signIn(index)))
  process.stdout.write(`${JSON.stringify(statuses)}\n`)
}
