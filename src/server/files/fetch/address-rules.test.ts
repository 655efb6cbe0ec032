import { describe, expect, it } from 'vitest'

import { checkUrl, isAddressAllowed, classifyAddress, parseFetchAllow } from './address-rules'

describe('addresses', () => {
  const classes: Record<string, string[]> = {
    public: [
      '8.8.8.8',
      '1.1.1.1',
      '93.184.216.34',
      '100.63.255.255',
      '172.15.255.255',
      '172.32.0.1',
      '192.167.255.255',
      '223.255.255.255',
      '2606:4700::1111',
      '2A00:1450:4001::200E',
      '::ffff:8.8.8.8',
      '::FFFF:808:808',
    ],
    metadata: [
      '169.254.169.254',
      '168.63.129.16',
      '100.100.100.200',
      'fd00:ec2::254',
      'FD00:0EC2::0254',
      '::ffff:169.254.169.254',
      '::ffff:a9fe:a9fe',
      '64:ff9b::a9fe:a9fe',
      '64:ff9b::169.254.169.254',
      '64:ff9b:1::a9fe:a9fe',
      '2002:a9fe:a9fe::1',
      '::169.254.169.254',
      '::ffff:0:169.254.169.254',
      '64:ff9b::168.63.129.16',
      '169.254.170.2',
      '169.254.170.23',
      '169.254.42.42',
      '192.0.0.192',
      'fd00:ec2::23',
      'fd00:42::42',
      'fd20:ce::254',
      'fe80::a9fe:a9fe',
    ],
    private: [
      '0.0.0.0',
      '0.1.2.3',
      '10.0.0.1',
      '100.64.0.1',
      '127.0.0.1',
      '127.255.255.254',
      '169.254.1.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.0.0.1',
      '192.0.2.1',
      '192.0.0.170',
      '192.31.196.1',
      '192.52.193.1',
      '192.88.99.1',
      '192.175.48.1',
      '192.168.1.1',
      '198.18.0.1',
      '198.51.100.1',
      '203.0.113.1',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      '::7f00:1',
      '::127.0.0.1',
      '::8.8.8.8',
      '::ffff:127.0.0.1',
      '::ffff:10.0.0.1',
      '::ffff:0:127.0.0.1',
      '64:ff9b::8.8.8.8',
      '64:ff9b:1::1',
      '100::1',
      '100:0:0:1::1',
      '2001::1',
      '2001::7f00:1',
      '2001:0:4136:e378:8000:63bf:3fff:fdd2',
      '2001:2::1',
      '2001:10::1',
      '2001:20::1',
      '2620:4f:8000::1',
      '2001:db8::1',
      '2002:7f00:1::',
      '2002:808:808::1',
      '3fff::1',
      '4000::1',
      '5f00::1',
      'fc00::1',
      'fe80::1',
      'fe80::1%eth0',
      'fec0::1',
      'ff02::1',
      'nonsense',
      '',
      '127.1',
      '2130706433',
      '0177.0.0.1',
      '010.8.8.8',
      '08.8.8.8',
      '0x7f.0.0.1',
      '8.8.8.8.',
      ' 8.8.8.8',
      '8.8.8.8\n',
      '٨.8.8.8',
      '8。8。8。8',
      '256.8.8.8',
      '8.8.8',
      '8.8.8.8.8',
      '2001:4860:4860::8888%eth0',
      '[2001:4860:4860::8888]',
      '2001:4860:4860::8888/64',
      '::ffff:8.8.8',
    ],
  }
  for (const [expected, addresses] of Object.entries(classes)) {
    it(`are classified as ${expected}`, () => {
      const found = Object.fromEntries(addresses.map((text) => [text, classifyAddress(text)]))
      expect(found).toEqual(Object.fromEntries(addresses.map((text) => [text, expected])))
    })
  }
})

describe('FETCH_ALLOW', () => {
  const allow = parseFetchAllow([
    '127.0.0.1:8080',
    'feeds.internal:81',
    '10.1.2.3',
    '192.168.0.0/16',
    '[::1]:9000',
    'fd00::/8',
    '100.64.0.0/10',
    '169.254.0.0/16',
    '64:ff9b::/96',
    '',
  ])
  const cases: [host: string, port: number, address: string, isAllowed: boolean][] = [
    ['127.0.0.1', 8080, '127.0.0.1', true],
    ['127.0.0.1', 8081, '127.0.0.1', false],
    ['127.0.0.2', 8080, '127.0.0.2', false],
    ['localhost', 8080, '127.0.0.1', true],
    ['feeds.internal', 81, '10.9.9.9', true],
    ['FEEDS.internal', 81, '10.9.9.9', true],
    ['feeds.internal', 80, '10.9.9.9', false],
    ['evil.feeds.internal', 81, '10.9.9.9', false],
    ['feeds.internal', 81, '169.254.169.254', false],
    ['10.1.2.3', 443, '10.1.2.3', true],
    ['any.example', 80, '10.1.2.3', true],
    ['any.example', 80, '10.1.2.4', false],
    ['any.example', 80, '192.168.7.7', true],
    ['any.example', 80, '::ffff:192.168.7.7', true],
    ['any.example', 80, '172.20.0.1', false],
    ['::1', 9000, '::1', true],
    ['::1', 9001, '::1', false],
    ['any.example', 80, 'fd00::1', true],
    ['any.example', 80, 'fd00:ec2::254', false],
    ['any.example', 80, '100.100.100.200', false],
    ['any.example', 80, '169.254.169.254', false],
    ['any.example', 80, '8.8.8.8', true],
    ['any.example', 80, '10.1.2.30', false],
    ['any.example', 80, 'fd00::1%eth0', false],
    ['any.example', 80, '64:ff9b::10.0.0.1', true],
    ['any.example', 80, '64:ff9b::a9fe:a9fe', false],
    ['any.example', 80, '2002:c0a8:101::1', false],
    ['feeds.internal.', 81, '10.9.9.9', false],
    ['feeds.internal', 8181, '10.9.9.9', false],
    ['feeds.internal', 81, '127.0.0.1', true],
    ['2130706433', 8080, '127.0.0.1', true],
  ]
  for (const [host, port, address, isAllowed] of cases) {
    it(`${isAllowed ? 'allows' : 'refuses'} ${host}:${port} at ${address}`, () => {
      expect(isAddressAllowed(allow, { host, port, address })).toBe(isAllowed)
    })
  }

  it('allows a metadata address only when it is listed exactly', () => {
    const target = { host: '169.254.169.254', port: 80, address: '169.254.169.254' }
    expect(isAddressAllowed(parseFetchAllow(['169.254.169.254']), target)).toBe(true)
    expect(isAddressAllowed(parseFetchAllow(['169.254.169.254:80']), target)).toBe(true)
    expect(isAddressAllowed(parseFetchAllow(['169.254.169.254:81']), target)).toBe(false)
    expect(isAddressAllowed(parseFetchAllow(['169.254.169.254/32']), target)).toBe(false)
    expect(isAddressAllowed(parseFetchAllow(['0.0.0.0/0']), target)).toBe(false)
  })

  it('rejects entries that are not host:port, an IP address or a CIDR range', () => {
    for (const entry of [
      'example.com',
      '10.0.0.0/33',
      'host:99999',
      'http://x:80',
      '10.1',
      '*:80',
      '*',
      'host:0',
      'user@host:80',
      'fe80::1%eth0',
      '0x7f000001',
      '10.1.2.3-10.1.2.9',
      'host:80/path',
    ]) {
      expect(() => parseFetchAllow([entry])).toThrow(`FETCH_ALLOW: "${entry}" is not`)
    }
  })
})

describe('URLs', () => {
  const nothing = parseFetchAllow([])
  const codeOf = (url: string, allow = nothing) => {
    try {
      checkUrl(url, allow)
      return 'ok'
    } catch (error) {
      return (error as { code: string }).code
    }
  }
  const cases: Record<string, string> = {
    'https://example.com/a.csv': 'ok',
    'http://example.com:8080/a.csv': 'ok',
    'ftp://example.com/a.csv': 'bad-address',
    'file:///etc/passwd': 'bad-address',
    'javascript:alert(1)': 'bad-address',
    'example.com': 'bad-address',
    'ws://example.com/a.csv': 'bad-address',
    'gopher://example.com:6379/_x': 'bad-address',
    'data:text/csv,a': 'bad-address',
    'blob:https://example.com/1': 'bad-address',
    '//example.com/a.csv': 'bad-address',
    'http://:80/': 'bad-address',
    'http://exa mple.com/': 'bad-address',
    'http://[fe80::1%25eth0]/': 'bad-address',
    'http://[fe80::1%eth0]/': 'bad-address',
    'http://127.0.0.1%00.example/': 'bad-address',
    'http://256.0.0.1/': 'bad-address',
    'http://4294967296/': 'bad-address',
    'http://0x100000000/': 'bad-address',
    'http://[::1]./': 'bad-address',
    'http://127.0.0.1@example.com/': 'bad-address',
    'http://example.com@127.0.0.1/': 'bad-address',
    'https://user@example.com/': 'bad-address',
    'https://:secret@example.com/': 'bad-address',
    [`https://example.com/${'a'.repeat(2_048)}`]: 'bad-address',
    'http://example.com:0/': 'address-refused',
    'http://example.com:1/': 'address-refused',
    'http://example.com:22/': 'address-refused',
    'http://example.com:65536/': 'bad-address',
    'http://example.com:25/': 'address-refused',
    'http://example.com:443/': 'ok',
    'http://example.com:1023/': 'address-refused',
    'http://example.com:1024/': 'ok',
    'http://example.com:6379/': 'address-refused',
    'http://example.com:2049/': 'address-refused',
    'http://example.com:6000/': 'address-refused',
    'http://example.com:6667/': 'address-refused',
    'http://example.com:10080/': 'address-refused',
    'http://example.com:11211/': 'address-refused',
    'http://example.com:65535/': 'ok',
    'https://example.com:80/': 'ok',
  }
  for (const [url, code] of Object.entries(cases)) {
    it(`${url.slice(0, 60)} is ${code}`, () => {
      expect(codeOf(url)).toBe(code)
    })
  }

  it('may have a refused port when FETCH_ALLOW lists it with the host', () => {
    expect(codeOf('http://feeds.internal:81/', parseFetchAllow(['feeds.internal:81']))).toBe('ok')
    expect(codeOf('http://127.0.0.1:81/', parseFetchAllow(['127.0.0.1:81']))).toBe('ok')
    expect(codeOf('http://127.0.0.1:81/', parseFetchAllow(['127.0.0.1']))).toBe('address-refused')
  })
})
