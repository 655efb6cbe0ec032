import { environmentSchema } from '../src/server/settings'
import { formatFileSize } from '../src/shared/format'

const MIB = 1024 * 1024

type Name = keyof typeof environmentSchema.shape

/** Sections by their first setting: a heading, and what concerns several of its settings. */
const SECTIONS: { [name in Name]?: [heading: string, text: string] } = {
  NODE_ENV: [
    'Addresses and names',
    `Without \`PUBLIC_URL\`, only localhost and IP addresses are answered, because any website could let its own
    name lead here. If it is set, the product only works at that URL, whatever host a proxy forwards; the \`Host\`
    header must have its name, or be an IP address. It has no path: the product is served at the root of a host
    only.`,
  ],
  DATA_DIR: [
    'Data',
    `PostgreSQL 15 or newer can take the place of the database in \`DATA_DIR\`: [how](deployment.md#postgresql).`,
  ],
  STORAGE_URL: [
    'Files in a bucket',
    `A bucket with S3's interface takes the place of folders in \`DATA_DIR\`, and several machines can share it:
    [how](deployment.md#files-in-a-bucket). Both keys are needed with either bucket.`,
  ],
  REDIS_URL: [
    'Background work and metrics',
    `\`STALLED_AFTER_SECONDS\` is longer than a restart or an update of the workers takes: by default five times
    the minute after which they show that they work. Whoever reaches \`METRICS_HOST\` can read the metrics, so let a
    firewall admit nobody else: [how](deployment.md#metrics). A collector of OpenTelemetry is told of the same, and of traces:
    [how](deployment.md#opentelemetry).`,
  ],
  SESSION_SECRET: [
    'Keys',
    `\`openssl rand -base64 32\` prints a key. How to change one: [changing keys](deployment.md#changing-keys). Backups
    do not contain the encryption key, so keep a copy elsewhere: without it, what it encrypts must be entered again. Backups are
    signed with a key derived from it, which \`npm run restore\` verifies.`,
  ],
  ADMIN_USERNAME: [
    'Accounts',
    '`npm run create-admin -- USERNAME` creates further administrators, and resets passwords. With\n`--turn-off-second-factor` it also turns off the second factor of one who has lost it, and\nremoves the passkeys.',
  ],
  OIDC_ISSUER: [
    'Sign in with Google',
    `Any OpenID Connect issuer that provides verified email addresses works. Set the first three or none, and register
    the redirect URI \`PUBLIC_URL\` + \`/api/auth/google/callback\` there: [how](deployment.md#sign-in-with-google).`,
  ],
  SMTP_URL: [
    'Mail',
    `Set both or none: without them nobody can choose e-mail. Links in mails begin with \`PUBLIC_URL\`; mail programs
    show their button to unsubscribe if it is HTTPS: [how](deployment.md#mail).`,
  ],
  MAIL_INBOX_DOMAIN: [
    'Files by mail',
    `Suppliers send files to addresses of \`MAIL_INBOX_DOMAIN\`. Mails arrive in any of three ways: from a mail server in
    front (\`SMTP_INBOX_PORT\`), from a mailbox (\`IMAP_URL\`), or over HTTP (\`MAIL_INBOX_SECRET\`):
    [how](deployment.md#files-by-mail).`,
  ],
  SFTP_PORT: [
    'SFTP',
    `Suppliers send files to it, and retailers fetch theirs: [how](deployment.md#sftp). Several machines need the same
    \`SFTP_HOST_KEY\`, which programs compare at each connection.`,
  ],
  FETCH_ALLOW: [
    'Sources and storage',
    'Lists have commas between their entries. Sizes are in bytes. What goes through `FETCH_PROXY`: [how](deployment.md#outgoing-connections).',
  ],
  TRUST_PROXY: [
    'Behind a proxy',
    `A proxy is needed for HTTPS: [how](deployment.md#behind-a-proxy). Calls are limited to 1,200 a minute per user
    and 12,000 per address, counted by each process.`,
  ],
  UPDATE_CHECK_URL: [
    'Newer releases',
    'The product sends nothing about itself to anybody, and asks for newer releases only where this is set: [how](deployment.md#before-an-update).',
  ],
  LOG_LEVEL: ['Logs', 'Logs are lines on standard output: [which](deployment.md#logs).'],
}

/** The text of `docs/configuration.md`. */
export function describeInMarkdown(): string {
  const introduction = `Settings are environment variables, or lines \`NAME=value\` of a file \`.env\` in the working
    directory; variables that are already set win. Invalid values are reported at start, all at once, and an empty value
    counts as unset. Each setting can also be read [from a file](deployment.md#secrets-in-files).`
  const sections = listSections().map(({ heading, text, settings }) => {
    const rows = settings.map(({ name, purpose, example, initial }) => [
      `\`${name}\``,
      initial && `\`${initial}\`${describeSize(initial)}`,
      example ? `${purpose} (\`${example}\`)` : purpose,
    ])
    return `## ${heading}\n\n${wrap(text)}\n\n${toTable([['setting', 'default', 'purpose'], ...rows])}`
  })
  const origin =
    '<!-- `npm run settings` writes this page and .env.example from src/server/settings.ts. -->'
  return `${['# Configuration', origin, wrap(introduction), ...sections].join('\n\n')}\n`
}

/** The text of `.env.example`. */
export function describeInEnvironment(): string {
  const introduction = `All settings with their defaults. Copy this file to .env and change what you need. Each can also be
    read from a file, such as a mounted secret: SESSION_SECRET_FILE names it, and so on. The file takes the place of a
    value.`
  const sections = listSections().map(({ heading, text, settings }) => {
    const lines = settings.map(
      ({ name, purpose, example, initial }) =>
        `${toComment(purpose)}\n${initial ? `${name}=${initial}` : `# ${name}=${example}`}`,
    )
    return [`## ${heading}`, toComment(text), ...lines].join('\n')
  })
  return `${[toComment(introduction), ...sections].join('\n\n')}\n`
}

type Setting = { name: string; purpose: string; example: string; initial: string }
type Section = { heading: string; text: string; settings: Setting[] }

function listSections(): Section[] {
  const sections: Section[] = []
  for (const [name, schema] of Object.entries(environmentSchema.shape)) {
    const [heading, text] = SECTIONS[name as Name] ?? []
    if (heading && text) sections.push({ heading, text, settings: [] })
    const { purpose, example } = schema.meta() as Pick<Setting, 'purpose' | 'example'>
    const initial = String(schema.parse(undefined) ?? '')
    sections.at(-1)?.settings.push({ name, purpose, example, initial })
  }
  return sections
}

const describeSize = (bytes: string) =>
  Number(bytes) >= MIB ? ` (${formatFileSize(Number(bytes))})` : ''

/** Lines of at most 115 characters. */
const wrap = (text: string) =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(.{1,115})(?: |$)/g, '$1\n')
    .trimEnd()

/** A comment of a text without its markup, which names the targets of links instead. */
function toComment(text: string): string {
  const plain = text.replaceAll(/\[[^[\]]*\]\(([^()]*)\)/g, 'docs/$1').replaceAll('`', '')
  return wrap(plain).replaceAll(/^/gm, '# ')
}

/** A table as oxfmt formats it. */
function toTable(rows: string[][]): string {
  const [head = []] = rows
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const rule = widths.map((width) => '-'.repeat(width))
  return rows
    .toSpliced(1, 0, rule)
    .map((row) => `| ${widths.map((width, column) => row[column]?.padEnd(width)).join(' | ')} |`)
    .join('\n')
}
