/** Groups of retailers, and which ones are in them. */
export const groupRoutes = {
  'GET /api/groups': {
    procedure: 'groups.list',
    summary: 'List your groups of retailers',
    notes: 'An administrator names the supplier in supplierId.',
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
} as const
