/** More than any family's name needs. */
const MAX_CHARACTERS = 300

/** What a `User-Agent` contains, in the order of asking: browsers also name those they resemble. */
const FAMILIES: readonly [part: string, family: string][] = [
  ['edg', 'Edge'],
  ['opr/', 'Opera'],
  ['samsungbrowser', 'Samsung Internet'],
  ['firefox', 'Firefox'],
  ['fxios', 'Firefox'],
  ['microsoft.data.mashup', 'Excel'],
  ['microsoft office', 'Excel'],
  ['googledocs', 'Google Sheets'],
  ['google-apps-script', 'Google Sheets'],
  ['powershell', 'PowerShell'],
  ['wordpress', 'WordPress'],
  ['chrome', 'Chrome'],
  ['crios', 'Chrome'],
  ['safari', 'Safari'],
  ['curl', 'curl'],
  ['wget', 'Wget'],
  ['python', 'Python'],
  ['php', 'PHP'],
  ['java', 'Java'],
  ['okhttp', 'Java'],
  ['go-http-client', 'Go'],
  ['ruby', 'Ruby'],
  ['axios', 'Node.js'],
  ['undici', 'Node.js'],
  ['node', 'Node.js'],
]

/** How a program that is no browser names itself, with its version: `ShopSync/9.1`. */
const PRODUCT =
  /^(?:mozilla\/5\.0 \(compatible; )?((?!mozilla\b)[a-z][\w.-]{1,39}(?:\/[\w.-]{1,20})?)(?=[ ;()]|$)/i

/**
 * The family of the browser or program that sent a `User-Agent`, or what it calls itself: `Firefox`, `curl`,
 * `ShopSync/9.1`, `Another program`.
 */
export function readClientFamily(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, MAX_CHARACTERS)
  const lower = text.toLowerCase()
  const family = FAMILIES.find(([part]) => lower.includes(part))?.[1]
  return family ?? PRODUCT.exec(text)?.[1] ?? 'Another program'
}

/** Programs by how they begin to name themselves over SSH. */
const SSH_FAMILIES: readonly [part: string, family: string][] = [
  ['openssh', 'OpenSSH'],
  ['winscp', 'WinSCP'],
  ['filezilla', 'FileZilla'],
  ['putty', 'PuTTY'],
  ['libssh2', 'libssh2'],
  ['libssh', 'libssh'],
  ['paramiko', 'Paramiko'],
  ['asyncssh', 'Python'],
  ['rclone', 'rclone'],
  ['jsch', 'Java'],
  ['apache-sshd', 'Java'],
  ['sshj', 'Java'],
  ['maverick', 'Java'],
  ['go', 'Go'],
  ['ssh2js', 'Node.js'],
  ['phpseclib', 'PHP'],
  ['renci', '.NET'],
]

/** The family of a program, of what it calls itself over SSH: `OpenSSH` of `OpenSSH_9.2p1`. */
export function readSshFamily(software: string): string {
  const lower = software.slice(0, MAX_CHARACTERS).toLowerCase()
  const family = SSH_FAMILIES.find(([part]) => lower.startsWith(part))?.[1]
  return family ?? /^[a-z][\w.-]{1,39}/i.exec(software)?.[0] ?? 'Another program'
}
