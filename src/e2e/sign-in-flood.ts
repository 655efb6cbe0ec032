// A process of its own, so that whoever measures meanwhile is not slowed down by it: signs in 80 times
// at once, from as many addresses, again and again until it is ended, and prints the statuses of each
// wave on a line. node --import tsx sign-in-flood.ts URL PASSWORD USERNAME…
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
