import { expect, it } from 'vitest'

import { toDemoEnvironment } from './demo-environment'

it('the demo uses nothing of a real installation but its address and port', () => {
  const chosen = { HOST: '::', PORT: '4000', PATH: '/bin', NODE_EXTRA_CA_CERTS: 'ca.pem' }
  const real = {
    STORAGE_URL: 's3://stock',
    DATABASE_URL_FILE: '/run/secrets/database',
    SMTP_URL: 'smtp://mail.example',
    FETCH_ALLOW: '10.0.0.0/8',
    OIDC_CLIENT_SECRET_FILE: '/run/secrets/oidc',
  }
  expect(toDemoEnvironment({ ...chosen, ...real })).toEqual(chosen)
})
