import { describe, expect, it } from 'vitest'

import { findFileUrl, readShareLink } from './share-link'

const KEY = '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms'
const SHEETS = 'https://docs.google.com/spreadsheets'
const EXPORT = `${SHEETS}/d/${KEY}/export?format=csv`
const PUBLISHED = `${SHEETS}/d/e/2PACX-1vQrs_a-b`
const DRIVE = 'https://drive.google.com'
const DRIVE_FILE = `${DRIVE}/uc?export=download&id=${KEY}`
const DROPBOX = 'https://www.dropbox.com'
const LAB = 'https://gitlab.example:8443'

describe('a link by which people share a file', () => {
  it.each([
    // Google Sheets, https://developers.google.com/workspace/sheets and what its address bar has shown since.
    [`${SHEETS}/d/${KEY}/edit?gid=1386834576#gid=1386834576`, `${EXPORT}&gid=1386834576`],
    [`${SHEETS}/d/${KEY}/edit?gid=1#gid=2`, `${EXPORT}&gid=2`],
    [`${SHEETS}/d/${KEY}/edit#gid=0`, `${EXPORT}&gid=0`],
    [`${SHEETS}/d/${KEY}/edit?gid=7`, `${EXPORT}&gid=7`],
    [`${SHEETS}/d/${KEY}/edit?usp=sharing`, EXPORT],
    [`${SHEETS}/d/${KEY}/edit?gid=0#gid=7&range=A1:C9`, `${EXPORT}&gid=7`],
    [`${SHEETS}/d/${KEY}/edit#gid=zero`, EXPORT],
    [`${SHEETS}/d/${KEY}/`, EXPORT],
    [`${SHEETS}/d/${KEY}`, EXPORT],
    [`${SHEETS}/d/${KEY}/view`, EXPORT],
    [`${SHEETS}/d/${KEY}/htmlview?gid=3`, `${EXPORT}&gid=3`],
    [
      `${SHEETS}/d/${KEY}/edit?usp=drive_link&ouid=1&rtpof=true&sd=true&resourcekey=0-a_B`,
      `${EXPORT}&resourcekey=0-a_B`,
    ],
    [`${SHEETS}/u/1/d/${KEY}/edit#gid=5`, `${SHEETS}/u/1/d/${KEY}/export?format=csv&gid=5`],
    [
      `https://docs.google.com/a/acme.example/spreadsheets/d/${KEY}/edit#gid=5`,
      `https://docs.google.com/a/acme.example/spreadsheets/d/${KEY}/export?format=csv&gid=5`,
    ],
    [`http://docs.google.com/spreadsheets/d/${KEY}/edit`, EXPORT.replace('https', 'http')],
    // Published to the web.
    [`${PUBLISHED}/pubhtml`, `${PUBLISHED}/pub?output=csv`],
    [`${PUBLISHED}/pubhtml?gid=12&single=true`, `${PUBLISHED}/pub?gid=12&single=true&output=csv`],
    [`${PUBLISHED}/pubhtml#gid=12`, `${PUBLISHED}/pub?gid=12&single=true&output=csv`],
    [`${PUBLISHED}/pub?gid=12`, `${PUBLISHED}/pub?gid=12&single=true&output=csv`],
    [`${PUBLISHED}/pub?output=html`, `${PUBLISHED}/pub?output=csv`],
    // Google Drive.
    [`${DRIVE}/file/d/${KEY}/view?usp=sharing`, DRIVE_FILE],
    [
      `${DRIVE}/file/d/${KEY}/view?usp=drive_link&resourcekey=0-xY`,
      `${DRIVE_FILE}&resourcekey=0-xY`,
    ],
    [`${DRIVE}/file/d/${KEY}/edit`, DRIVE_FILE],
    [`${DRIVE}/file/d/${KEY}/preview`, DRIVE_FILE],
    [`${DRIVE}/file/d/${KEY}`, DRIVE_FILE],
    [`${DRIVE}/file/u/0/d/${KEY}/view`, DRIVE_FILE],
    [`${DRIVE}/open?id=${KEY}&authuser=0`, DRIVE_FILE],
    [`${DRIVE}/uc?id=${KEY}`, DRIVE_FILE],
    [`${DRIVE}/uc?id=${KEY}&export=view`, DRIVE_FILE],
    // Dropbox, https://help.dropbox.com/share/force-download
    [`${DROPBOX}/s/k0y4a1qsbrl2vex/stock.csv?dl=0`, `${DROPBOX}/s/k0y4a1qsbrl2vex/stock.csv?dl=1`],
    [`${DROPBOX}/s/k0y4a1qsbrl2vex/stock.csv`, `${DROPBOX}/s/k0y4a1qsbrl2vex/stock.csv?dl=1`],
    [
      `${DROPBOX}/scl/fi/a1b2/My%20stock%2B1.csv?rlkey=x9_y&st=q1&dl=0`,
      `${DROPBOX}/scl/fi/a1b2/My%20stock%2B1.csv?rlkey=x9_y&st=q1&dl=1`,
    ],
    [`${DROPBOX}/scl/fo/a1b2/h?rlkey=x9&dl=0`, `${DROPBOX}/scl/fo/a1b2/h?rlkey=x9&dl=1`],
    [`${DROPBOX}/sh/a1b2/AAC/stock.csv?dl=0`, `${DROPBOX}/sh/a1b2/AAC/stock.csv?dl=1`],
    ['https://dropbox.com/s/k0y4/stock.csv?dl=0', 'https://dropbox.com/s/k0y4/stock.csv?dl=1'],
    ['HTTPS://WWW.Dropbox.COM/s/k0y4/Stock.csv?dl=0', `${DROPBOX}/s/k0y4/Stock.csv?dl=1`],
    // GitHub.
    [
      'https://github.com/acme/stock/blob/main/data/stock.csv',
      'https://github.com/acme/stock/raw/main/data/stock.csv',
    ],
    [
      'https://github.com/acme/stock/blob/feature/spring/stock%20list.csv?plain=1#L10-L20',
      'https://github.com/acme/stock/raw/feature/spring/stock%20list.csv',
    ],
    [
      'https://www.github.com/acme/blob/blob/main/blob/a.csv?raw=true',
      'https://www.github.com/acme/blob/raw/main/blob/a.csv',
    ],
    // GitLab.
    [
      'https://gitlab.com/acme/group/stock/-/blob/main/stock.csv?ref_type=heads',
      'https://gitlab.com/acme/group/stock/-/raw/main/stock.csv?ref_type=heads',
    ],
    [`${LAB}/acme/stock/-/blob/v1.0/a/b.csv?plain=1#L3`, `${LAB}/acme/stock/-/raw/v1.0/a/b.csv`],
    [
      `${LAB}/git/acme/stock/-/blob/main/a%2Fb/-/c.csv`,
      `${LAB}/git/acme/stock/-/raw/main/a%2Fb/-/c.csv`,
    ],
  ])('%s is fetched from %s', (address, fileUrl) => {
    expect(findFileUrl(address)).toBe(fileUrl)
    // Credentials are for an origin.
    expect(new URL(fileUrl).origin).toBe(new URL(address).origin)
    expect(findFileUrl(fileUrl)).toBeUndefined()
  })

  it.each([
    // They lead to files already.
    `${EXPORT}&gid=1`,
    `${SHEETS}/d/${KEY}/export?format=xlsx`,
    `${SHEETS}/d/${KEY}/gviz/tq?tqx=out:csv&sheet=Stock`,
    `${PUBLISHED}/pub?gid=1&single=true&output=csv`,
    `${PUBLISHED}/pub?output=xlsx`,
    DRIVE_FILE,
    `https://drive.usercontent.google.com/download?id=${KEY}&export=download`,
    `${DROPBOX}/s/k0y4/stock.csv?dl=1`,
    `${DROPBOX}/scl/fi/a1b2/stock.csv?rlkey=x9&raw=1`,
    'https://dl.dropboxusercontent.com/scl/fi/a1b2/stock.csv?rlkey=x9&dl=0',
    'https://raw.githubusercontent.com/acme/stock/main/stock.csv',
    'https://github.com/acme/stock/raw/main/stock.csv',
    'https://github.com/acme/stock/releases/download/v1/stock.csv',
    'https://gitlab.com/acme/stock/-/raw/main/stock.csv?inline=false',
    'https://gitlab.com/api/v4/projects/1/repository/files/stock.csv/raw?ref=main',
    // They lead to no file.
    'https://docs.google.com/document/d/1Bxi/edit',
    `${SHEETS}/d/e/`,
    `${SHEETS}/`,
    `${DRIVE}/drive/my-drive`,
    `${DRIVE}/open`,
    `${DROPBOX}/home/stock.csv`,
    'https://github.com/acme/stock/blob/main',
    'https://github.com/acme/stock/tree/main/data',
    'https://gitlab.com/-/blob/main/stock.csv',
    'https://gitlab.com/acme/stock/-/blob/main',
    // Other hosts, ports and schemes, and what is inside of other addresses.
    'https://github.com.example/acme/stock/blob/main/stock.csv',
    'https://notgithub.com/acme/stock/blob/main/stock.csv',
    'https://gist.github.com/acme/stock/blob/main/stock.csv',
    'https://github.com./acme/stock/blob/main/stock.csv',
    'https://github.com:8443/acme/stock/blob/main/stock.csv',
    'https://www.dropbox.com.example/s/k0y4/stock.csv?dl=0',
    'https://shop.example/dropbox.com/s/k0y4/stock.csv?dl=0',
    `https://shop.example/?from=${SHEETS}/d/${KEY}/edit`,
    `https://docs.google.com.example/spreadsheets/d/${KEY}/edit`,
    `https://example.com/acme/stock/blob/main/stock.csv`,
    'https://example.com/stock.csv#/acme/stock/-/blob/main/stock.csv',
    'https://github.com%2Facme@example.com/acme/stock/blob/main/stock.csv',
    'https://me@github.com/acme/stock/blob/main/stock.csv',
    'https://github.com@example.com/acme/stock/blob/main/stock.csv',
    'ftp://github.com/acme/stock/blob/main/stock.csv',
    'github.com/acme/stock/blob/main/stock.csv',
    '',
  ])('%j stays as it is', (address) => {
    expect(findFileUrl(address)).toBeUndefined()
    expect(readShareLink(address)?.refusal).toBeUndefined()
  })

  it.each([
    'https://1drv.ms/x/s!AkQ7abc?e=Xy1',
    'https://1drv.ms/x/c/0a1b2c/EYz?e=Xy1',
    'https://onedrive.live.com/edit.aspx?resid=A!1&cid=a',
    'https://onedrive.live.com/?id=A!1&cid=a',
    'https://acme.sharepoint.com/:x:/s/Sales/EaBc?e=Xy1',
    'https://acme-my.sharepoint.com/:u:/g/personal/me_acme_example/EaBc',
    'https://acme.sharepoint.com/sites/Sales/_layouts/15/Doc.aspx?sourcedoc=%7B1%7D&action=default',
  ])('%s is refused, with the way out', (address) => {
    expect(readShareLink(address)?.refusal).toMatch(/need a sign-in.* by the upload link/)
    expect(findFileUrl(address)).toBeUndefined()
  })

  it.each([
    'https://acme.sharepoint.com/:x:/s/Sales/EaBc?e=Xy1&download=1',
    'https://acme.sharepoint.com.example/:x:/s/Sales/EaBc',
    'https://1drv.ms.example/x/s!AkQ7',
    'https://sharepoint.example/stock.csv',
  ])('%s is tried', (address) => {
    expect(readShareLink(address)).toBeUndefined()
  })

  it('is refused for a folder of Google Drive', () => {
    const folders = [
      `${DRIVE}/drive/folders/${KEY}?usp=sharing`,
      `${DRIVE}/drive/u/0/folders/${KEY}`,
    ]
    for (const folder of folders) {
      expect(readShareLink(folder)?.refusal).toMatch(/^This is a folder of Google Drive/)
    }
  })
})
