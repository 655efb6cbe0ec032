/** Groups of retailers, and how suppliers and retailers find one another. */
export const networkRoutes = {
  'GET /api/groups': { procedure: 'groups.list', summary: 'List your groups of retailers' },
  'GET /api/suppliers/:id/groups': {
    procedure: 'groups.ofSupplier',
    summary: 'List the groups of a supplier, as an administrator',
  },
  'POST /api/groups': {
    procedure: 'groups.create',
    status: 201,
    summary: 'Add a group of retailers',
    notes: 'An administrator names the supplier in supplierId.',
  },
  'GET /api/groups/:id': { procedure: 'groups.get', summary: 'Get a group with its settings' },
  'PATCH /api/groups/:id': {
    procedure: 'groups.update',
    summary: 'Change a group, and with it what its members have from it',
  },
  'DELETE /api/groups/:id': {
    procedure: 'groups.delete',
    summary: 'Delete a group that has no members',
  },
  'PUT /api/retailers/group': {
    procedure: 'groups.assign',
    summary: 'Put retailers into a group, or into none',
    notes:
      'They have all its settings from then on. With null as groupId they keep those that they have.',
  },
  'GET /api/retailers/:id/group': {
    procedure: 'groups.ofRetailer',
    summary: 'Get the group of a retailer, and which settings are its own',
  },
  'PATCH /api/retailers/:id/group': {
    procedure: 'groups.follow',
    summary: 'Let settings of a retailer be those of its group again',
  },
  'GET /api/retailers/:id/prices': {
    procedure: 'retailers.prices',
    summary: 'Get how the prices are made that a retailer sees',
  },
  'PUT /api/retailers/:id/prices': {
    procedure: 'retailers.savePrices',
    summary: 'Change how the prices are made that a retailer sees',
    notes:
      'Prices are made of the costs in your file. With null as priceRules the retailer sees those of the file.',
  },

  'GET /api/card': { procedure: 'cards.get', summary: 'Get your card, as a supplier' },
  'PUT /api/card': {
    procedure: 'cards.save',
    summary: 'Change your card, and whether it is published',
    notes: 'A logo is a PNG, JPEG or WebP picture in base64. Without one the last one stays.',
  },
  'GET /api/directory': {
    procedure: 'directory.page',
    summary: 'Search the suppliers that have published a card, as a retailer',
  },
  'POST /api/directory/:card/request': {
    procedure: 'directory.request',
    status: 201,
    summary: 'Ask a supplier for its files, as an owner of a retailer',
  },
  'DELETE /api/directory/:card/request': {
    procedure: 'directory.withdraw',
    summary: 'Withdraw a request',
  },
  'GET /api/requests': {
    procedure: 'requests.list',
    summary: 'List the requests of retailers that wait for your answer',
  },
  'POST /api/requests/:id/approve': {
    procedure: 'requests.approve',
    summary: 'Accept a request: the retailer is yours, in a group',
    notes: 'Without groupId it waits in the group of newcomers, if there is one.',
  },
  'POST /api/requests/:id/decline': {
    procedure: 'requests.decline',
    summary: 'Decline a request',
  },
} as const
