import type { UseFor } from './use-sftp-login'

/** What an SFTP login is for, in the words of its panel. */
interface SftpWords {
  title: string
  description: string
  purpose: string
  /** Said to those whose role does not include it. */
  whoMakes: string
  ofRevoking: string
}

export const SFTP_WORDS: Record<UseFor, SftpWords> = {
  connection: {
    title: 'Send by SFTP',
    description: 'For a warehouse system or a program that puts its file on a server.',
    purpose:
      'A login puts files into a folder of its own, and sees there what became of the last ten. Nothing else can be seen through it.',
    whoMakes: 'Owners and editors of your company make it.',
    ofRevoking:
      'Nobody can send files by this login any more, and whoever is connected is cut off. It cannot be brought back, but a new one can be made.',
  },
  retailer: {
    title: 'Fetch by SFTP',
    description: 'For a shop or a program that takes files from a server instead of an address.',
    purpose:
      'A login reads the same file as the feed address, and nothing else. Each download is counted as one.',
    whoMakes: 'Owners and those who see to the shop make it.',
    ofRevoking:
      'Nobody can fetch the file by this login any more, and whoever is connected is cut off. It cannot be brought back, but a new one can be made.',
  },
}
