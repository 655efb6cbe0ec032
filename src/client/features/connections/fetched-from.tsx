import { Text } from '@mantine/core'

import { readShareLink } from '../../../shared/share-links'

/** Where the file of a link is fetched, below the field that the link is typed into; nothing for other addresses. */
export function FetchedFrom({ url }: { url: string }) {
  const link = URL.canParse(url) ? readShareLink(url) : undefined
  return (
    <Text component="output" fz="xs" c="dimmed" mt={-8} display={link ? 'block' : 'none'}>
      {link && (
        <>
          {link.service} shows a page there. The file is fetched from{' '}
          <Text span inherit c="var(--mantine-color-text)" style={{ overflowWrap: 'anywhere' }}>
            <bdi dir="ltr">{link.fileUrl}</bdi>
          </Text>
          {link.service === 'Google Drive' &&
            '. Drive shows a page for files above some 20 MB too.'}
        </>
      )}
    </Text>
  )
}
