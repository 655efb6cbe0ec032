/** An account of the demo's identity provider. */
export type Person = { subject: string; name: string; email: string; isVerified?: boolean }

const STYLE = `
  :root { color-scheme: light dark; --ground: #f4f4f1; --card: #fff; --ink: #1d1c19; --soft: #6d6a62; --line: #e0ded9; --hover: #f4f4f1 }
  @media (prefers-color-scheme: dark) { :root { --ground: #131312; --card: #1a1a18; --ink: #ececea; --soft: #a6a49d; --line: #2d2c2a; --hover: #232220 } }
  body { display: grid; min-height: 100dvh; margin: 0; place-items: center; background: var(--ground); color: var(--ink); font: 15px/1.45 system-ui, sans-serif }
  main { box-sizing: border-box; width: min(400px, 100vw); padding: 32px 28px; border: 1px solid var(--line); border-radius: 16px; background: var(--card) }
  h1 { margin: 0; font-size: 1.3rem; letter-spacing: -0.01em }
  p { margin: 6px 0 20px; color: var(--soft) }
  form { display: grid; gap: 8px }
  button { display: flex; gap: 14px; align-items: center; padding: 12px; border: 1px solid var(--line); border-radius: 10px; background: none; color: inherit; font: inherit; text-align: start; cursor: pointer }
  button:hover { background: var(--hover) }
  b { display: block; font-weight: 600 }
  span { color: var(--soft); font-size: .875rem }
  i { display: grid; flex: none; width: 36px; height: 36px; place-items: center; border-radius: 50%; background: #2f54d1; color: #fff; font-style: normal; font-weight: 600 }
  button[value=''] { justify-content: center; margin-top: 8px; border-color: transparent; color: var(--soft) }
`

/** The sign-in page of the demo's identity provider, where an account is chosen. */
export function renderChooser(people: readonly Person[]): string {
  const choices = people.map(
    ({ subject, name, email }) => `
      <button name="subject" value="${subject}">
        <i aria-hidden="true">${name.slice(0, 1)}</i>
        <div><b>${name}</b><span>${email}</span></div>
      </button>`,
  )
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="icon" href="data:," />
    <title>Choose an account</title>
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>Choose an account</h1>
      <p>Demo identity provider: no password needed.</p>
      <form method="post">${choices.join('')}
        <button name="subject" value="">Cancel</button>
      </form>
    </main>
  </body>
</html>
`
}
