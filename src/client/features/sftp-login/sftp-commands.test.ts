import { expect, it } from 'vitest'

import { listSftpCommands } from './sftp-commands'

const server = {
  host: 'sftp.stock.example',
  port: 2_222,
  hostKeys: [{ type: 'ssh-ed25519', fingerprint: 'SHA256:abc/def+' }],
}
const codes = (input: Partial<Parameters<typeof listSftpCommands>[0]> = {}) =>
  listSftpCommands({
    useFor: 'connection',
    server,
    username: 'acme-4f7k2m',
    hasPassword: true,
    ...input,
  }).map(({ code }) => code)

it('a supplier sends a file by each program', () => {
  expect(codes()).toEqual([
    'echo "put stock.csv" | sftp -P 2222 acme-4f7k2m@sftp.stock.example',
    'lftp -e "open -u acme-4f7k2m -p 2222 sftp://sftp.stock.example; put stock.csv; bye"',
    'curl -u acme-4f7k2m --hostpubsha256 abc/def+ -T stock.csv sftp://sftp.stock.example:2222/',
  ])
})

it('a retailer fetches its file by each program', () => {
  expect(codes({ useFor: 'retailer' })).toEqual([
    'sftp -P 2222 acme-4f7k2m@sftp.stock.example:/inventory/inventory.csv .',
    'lftp -e "open -u acme-4f7k2m -p 2222 sftp://sftp.stock.example; get /inventory/inventory.csv; bye"',
    'curl -u acme-4f7k2m --hostpubsha256 abc/def+ -O sftp://sftp.stock.example:2222/inventory/inventory.csv',
  ])
})

it('a program signs in with a key where there is no password', () => {
  expect(codes({ hasPassword: false })).toEqual([
    'echo "put stock.csv" | sftp -P 2222 -i ~/.ssh/id_ed25519 acme-4f7k2m@sftp.stock.example',
    `lftp -e "set sftp:connect-program 'ssh -a -x -i ~/.ssh/id_ed25519'; open -u acme-4f7k2m, -p 2222 sftp://sftp.stock.example; put stock.csv; bye"`,
    'curl -u acme-4f7k2m: --key ~/.ssh/id_ed25519 --hostpubsha256 abc/def+ -T stock.csv sftp://sftp.stock.example:2222/',
  ])
})

it('an address of IPv6 stands in brackets', () => {
  const [sftp, lftp, curl] = codes({ server: { ...server, host: '2001:db8::1', hostKeys: [] } })
  expect(sftp).toContain('acme-4f7k2m@[2001:db8::1]')
  expect(lftp).toContain('sftp://[2001:db8::1];')
  expect(curl).toBe('curl -u acme-4f7k2m -T stock.csv sftp://[2001:db8::1]:2222/')
})
