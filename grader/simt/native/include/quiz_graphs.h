// Graphs, by capture and node by node: their work is done where they are launched, each node behind
// those that it depends on. Branches are streams of their own for whoever looks for races.
#pragma once

#include "quiz_textures.h"

enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0,
    cudaStreamCaptureModeThreadLocal = 1,
    cudaStreamCaptureModeRelaxed = 2
};
enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone = 0,
    cudaStreamCaptureStatusActive = 1,
    cudaStreamCaptureStatusInvalidated = 2
};
enum cudaGraphNodeType {
    cudaGraphNodeTypeKernel = 0,
    cudaGraphNodeTypeMemcpy = 1,
    cudaGraphNodeTypeMemset = 2,
    cudaGraphNodeTypeHost = 3,
    cudaGraphNodeTypeGraph = 4,
    cudaGraphNodeTypeEmpty = 5
};
enum cudaGraphExecUpdateResult {
    cudaGraphExecUpdateSuccess = 0,
    cudaGraphExecUpdateError = 1,
    cudaGraphExecUpdateErrorTopologyChanged = 2
};
enum cudaGraphInstantiateFlags {
    cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
    cudaGraphInstantiateFlagUpload = 2,
    cudaGraphInstantiateFlagDeviceLaunch = 4,
    cudaGraphInstantiateFlagUseNodePriority = 8
};

namespace quiz {
struct GraphNode {
    NodeKind kind;
    Work *work;  // lives as long as the program: an instantiated graph may have it, too
    NodeList before;
    GraphNode *next;
    size_t place;  // while they are put in order: 1 more than that of its step
};
struct Graph {
    GraphNode *first = nullptr, *last = nullptr;
    size_t count = 0;
    GraphNode *add(NodeKind kind, Work *work, const NodeList &before = {}) {
        GraphNode *made = new GraphNode{kind, work, {}, nullptr, 0};
        made->before.add(before);
        (last ? last->next : first) = made;
        last = made;
        ++count;
        return made;
    }
};
inline void keep(cudaStream_t stream, NodeKind kind, Work *work) {
    GraphNode *made = stream->capture->graph->add(kind, work, stream->last);
    stream->last = {};
    stream->last.add({&made, 1});
}
struct GraphStep {
    const GraphNode *of;
    NodeKind kind;
    Work *work;
    const size_t *before;  // the steps that it depends on
    size_t befores;
    uint64_t branch;  // what the emulator calls it, as it calls a stream
    uint64_t event;   // that it has ended; 0 if only its own branch goes on
    bool begins;      // its branch
    bool ends;        // nothing depends on it
    void run() const {
        if (work == nullptr) return;
        const Message *around = turn().frames;
        turn().frames = &work->frames;
        work->run();
        turn().frames = around;
    }
};
struct GraphExec {
    GraphStep *steps;
    size_t count, branches;
    uint64_t began, ended;  // events of its launches, which come one after the other
    void run() const {
        uint64_t around = turn().stream;
        tell_order(stream_waits, around, ended);
        if (branches > 1) {
            state().tells_order = true;
            tell_order(event_recorded, began, around);
        }
        for (size_t at = 0; at < count; ++at) {
            const GraphStep &step = steps[at];
            if (branches > 1) enter(step, around);
            step.run();
            if (step.event) tell_order(event_recorded, step.event, step.branch);
        }
        turn().stream = around;
        for (size_t at = 0; at < count && branches > 1; ++at)
            if (steps[at].ends) tell_order(stream_waits, around, steps[at].event);
        tell_order(event_recorded, ended, around);
    }
    // Go on in the branch of a step, behind what it depends on.
    void enter(const GraphStep &step, uint64_t around) const {
        if (step.begins) {
            tell_order(branch_begins, step.branch, around);
            tell_order(stream_waits, step.branch, began);
            state().told = ~0ull;
        }
        for (size_t at = 0; at < step.befores; ++at) {
            const GraphStep &other = steps[step.before[at]];
            if (other.branch != step.branch) tell_order(stream_waits, step.branch, other.event);
        }
        turn().stream = step.branch;
    }
};
// Give each step a branch: it goes on with one of which it depends on the last step, or begins one.
inline void find_branches(GraphExec &made) {
    static uint64_t last_branch = 1ull << 32;
    const GraphStep **ends = new const GraphStep *[made.count + 1];
    for (size_t at = 0; at < made.count; ++at) {
        GraphStep &step = made.steps[at];
        size_t branch = made.branches;
        for (size_t each = 0; each < step.befores; ++each) {
            GraphStep &other = made.steps[step.before[each]];
            other.ends = false;
            for (size_t own = 0; own < made.branches && branch == made.branches; ++own)
                if (ends[own] == &other) branch = own;
        }
        step.begins = branch == made.branches;
        step.branch = step.begins ? 2 * ++last_branch + 1 : ends[branch]->branch;
        made.branches += step.begins;
        ends[branch] = &step;
    }
    delete[] ends;
    for (size_t at = 0; at < made.count && made.branches > 1; ++at)
        made.steps[at].event = ++state().events;
}
// Order the nodes so that each comes after those that it depends on, else as they were added.
inline GraphExec *order(const Graph &graph) {
    Locked locked;
    GraphExec *made = new GraphExec{new GraphStep[graph.count + 1], 0, 0, 0, 0};
    for (GraphNode *each = graph.first; each; each = each->next) each->place = 0;
    while (made->count < graph.count) {
        size_t known = made->count;
        for (GraphNode *each = graph.first; each; each = each->next) {
            bool ready = each->place == 0;
            for (size_t at = 0; at < each->before.count; ++at)
                ready = ready && each->before.nodes[at]->place;
            if (!ready) continue;
            size_t *before = new size_t[each->before.count + 1];
            for (size_t at = 0; at < each->before.count; ++at) before[at] = each->before.nodes[at]->place - 1;
            made->steps[made->count] = {each, each->kind, each->work, before, each->before.count, 0, 0, false, true};
            each->place = ++made->count;
        }
        if (made->count == known) return nullptr;  // a cycle
    }
    made->began = ++state().events;
    made->ended = ++state().events;
    find_branches(*made);
    return made;
}
}  // namespace quiz

typedef quiz::Graph *cudaGraph_t;
typedef quiz::GraphNode *cudaGraphNode_t;
typedef quiz::GraphExec *cudaGraphExec_t;
struct cudaGraphExecUpdateResultInfo {
    enum cudaGraphExecUpdateResult result;
    cudaGraphNode_t errorNode, errorFromNode;
};
struct cudaKernelNodeParams {
    void *func;
    dim3 gridDim, blockDim;
    unsigned int sharedMemBytes;
    void **kernelParams;
    void **extra;
};
struct cudaMemsetParams {
    void *dst;
    size_t pitch;
    unsigned int value, elementSize;
    size_t width, height;
};
struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void *userData;
};

// Capture

namespace quiz {
// Return true if every node of a graph is among those that its origin goes on behind, or before one.
inline bool is_joined(const Graph &graph, const NodeList &last) {
    const size_t found = 1;
    for (GraphNode *each = graph.first; each; each = each->next) each->place = 0;
    for (size_t at = 0; at < last.count; ++at) last.nodes[at]->place = found;
    for (GraphNode *each = graph.first; each; each = each->next)
        for (size_t at = 0; at < each->before.count; ++at) each->before.nodes[at]->place = found;
    for (GraphNode *each = graph.first; each; each = each->next)
        if (each->place != found) return false;
    return true;
}
}  // namespace quiz
static inline cudaError_t cudaStreamBeginCapture(cudaStream_t stream,
                                                 cudaStreamCaptureMode = cudaStreamCaptureModeGlobal) {
    if ((uintptr_t)stream <= 2) return quiz::note(cudaErrorStreamCaptureUnsupported);
    if (quiz::capture_of(stream) != nullptr) return quiz::note(cudaErrorInvalidValue);
    stream->capture = new quiz::Capture{new quiz::Graph, true, true, stream};
    stream->last = {};
    quiz::last_capture() = stream->capture;
    return cudaSuccess;
}
static inline cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
    quiz::Capture *capture = quiz::capture_of(stream);
    *graph = nullptr;
    if (capture == nullptr) return quiz::note(cudaErrorInvalidValue);
    if (capture->origin != stream) return quiz::note(cudaErrorStreamCaptureUnmatched);
    capture->active = false;
    if (!capture->valid) return quiz::note(cudaErrorStreamCaptureInvalidated);
    if (!quiz::is_joined(*capture->graph, stream->last)) return quiz::note(cudaErrorStreamCaptureUnjoined);
    *graph = capture->graph;
    return cudaSuccess;
}
static inline cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
    quiz::Capture *capture = quiz::capture_of(stream);
    *status = capture == nullptr ? cudaStreamCaptureStatusNone
              : capture->valid   ? cudaStreamCaptureStatusActive
                                 : cudaStreamCaptureStatusInvalidated;
    return cudaSuccess;
}

// Nodes

static inline cudaError_t cudaGraphCreate(cudaGraph_t *made, unsigned = 0) {
    *made = new quiz::Graph;
    return cudaSuccess;
}
namespace quiz {
inline Work *work_of(const cudaKernelNodeParams &asked, const char *file, int line) {
    Work *work = nullptr;
    static void *none = nullptr;
    configure(asked.gridDim, asked.blockDim, asked.sharedMemBytes, nullptr, file, line);
    next_launch().arguments = asked.kernelParams ? asked.kernelParams : &none;
    next_launch().kept = &work;
    ((void (*)())asked.func)();
    return work;
}
inline Work *work_of(const cudaMemcpy3DParms &asked) {
    return make_work([asked] { (void)cudaMemcpy3DAsync(&asked); });
}
inline Work *work_of(const cudaMemsetParams &asked) {
    return make_work([asked] {
        size_t size = asked.elementSize, pitch = asked.height > 1 ? asked.pitch : size * asked.width;
        char *row = reach(asked.dst, pitch * (asked.height - 1) + size * asked.width);
        if (size == 1 || row == nullptr) {
            (void)fill(asked.dst, pitch, (int)asked.value, size * asked.width, asked.height);
            return;
        }
        (void)fill(asked.dst, pitch, 0, size * asked.width, asked.height);
        for (size_t y = 0; y < asked.height; ++y)
            for (size_t x = 0; x < asked.width; ++x) memcpy(row + y * pitch + x * size, &asked.value, size);
    });
}
inline Work *work_of(const cudaHostNodeParams &asked) {
    return make_work([asked] {
        wait_for(host_waits_stream, turn().stream);
        asked.fn(asked.userData);
    });
}
inline cudaError_t add(cudaGraphNode_t *made, cudaGraph_t graph, const cudaGraphNode_t *before, size_t n,
                       NodeKind kind, Work *work) {
    if (work == nullptr && kind != empty_node) return note(cudaErrorInvalidValue);
    *made = graph->add(kind, work, {(GraphNode **)before, n});
    return cudaSuccess;
}
inline cudaError_t change(cudaGraphExec_t exec, cudaGraphNode_t node, Work *work) {
    for (size_t at = 0; work != nullptr && at < exec->count; ++at)
        if (exec->steps[at].of == node) {
            exec->steps[at].work = work;
            return cudaSuccess;
        }
    return note(cudaErrorInvalidValue);
}
}  // namespace quiz
static inline cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                                 const cudaGraphNode_t *before, size_t n,
                                                 const cudaKernelNodeParams *asked,
                                                 const char *file = __builtin_FILE(),
                                                 int line = __builtin_LINE()) {
    return quiz::add(made, graph, before, n, quiz::kernel_node, quiz::work_of(*asked, file, line));
}
static inline cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                                 const cudaGraphNode_t *before, size_t n,
                                                 const cudaMemcpy3DParms *asked) {
    return quiz::add(made, graph, before, n, quiz::copy_node, quiz::work_of(*asked));
}
static inline cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *made, cudaGraph_t graph,
                                                   const cudaGraphNode_t *before, size_t n, void *to,
                                                   const void *from, size_t size, cudaMemcpyKind kind) {
    auto work = quiz::make_work([=] { (void)quiz::copy(to, size, from, size, size, 1, kind); });
    return quiz::add(made, graph, before, n, quiz::copy_node, work);
}
static inline cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                                 const cudaGraphNode_t *before, size_t n,
                                                 const cudaMemsetParams *asked) {
    return quiz::add(made, graph, before, n, quiz::set_node, quiz::work_of(*asked));
}
static inline cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                               const cudaGraphNode_t *before, size_t n,
                                               const cudaHostNodeParams *asked) {
    return quiz::add(made, graph, before, n, quiz::host_node, quiz::work_of(*asked));
}
static inline cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                                const cudaGraphNode_t *before, size_t n) {
    return quiz::add(made, graph, before, n, quiz::empty_node, nullptr);
}
static inline cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                                     const cudaGraphNode_t *before, size_t n,
                                                     cudaGraph_t child) {
    quiz::GraphExec *inner = quiz::order(*child);
    auto work = inner == nullptr ? nullptr : quiz::make_work([inner] { inner->run(); });
    return quiz::add(made, graph, before, n, quiz::graph_node, work);
}
static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t *from,
                                                   const cudaGraphNode_t *to, size_t n) {
    for (size_t at = 0; at < n; ++at) to[at]->before.add({(quiz::GraphNode **)&from[at], 1});
    return cudaSuccess;
}
static inline cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
    size_t at = 0;
    if (nodes != nullptr)
        for (quiz::GraphNode *each = graph->first; each && at < *count; each = each->next)
            nodes[at++] = each;
    *count = nodes != nullptr ? at : graph->count;
    return cudaSuccess;
}
static inline cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *kind) {
    *kind = (cudaGraphNodeType)node->kind;
    return cudaSuccess;
}

// Whole graphs

static inline cudaError_t cudaGraphClone(cudaGraph_t *made, cudaGraph_t graph) {
    quiz::GraphExec *ordered = quiz::order(*graph);
    if (ordered == nullptr) return quiz::note(cudaErrorInvalidValue);
    *made = new quiz::Graph;
    quiz::GraphNode **copies = new quiz::GraphNode *[ordered->count + 1];
    for (size_t at = 0; at < ordered->count; ++at) {
        const quiz::GraphStep &step = ordered->steps[at];
        copies[at] = (*made)->add(step.kind, step.work);
        for (size_t each = 0; each < step.befores; ++each)
            copies[at]->before.add({&copies[step.before[each]], 1});
    }
    delete[] copies;
    return cudaSuccess;
}
static inline cudaError_t cudaGraphDestroy(cudaGraph_t) { return cudaSuccess; }
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *made, cudaGraph_t graph,
                                               unsigned long long = 0) {
    *made = graph == nullptr ? nullptr : quiz::order(*graph);
    return *made == nullptr ? quiz::note(cudaErrorInvalidValue) : cudaSuccess;
}
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *made, cudaGraph_t graph,
                                               cudaGraphNode_t *, char *, size_t) {
    return cudaGraphInstantiate(made, graph);
}
static inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *made, cudaGraph_t graph,
                                                        unsigned long long = 0) {
    return cudaGraphInstantiate(made, graph);
}
static inline cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
static inline cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    if (exec == nullptr) return quiz::note(cudaErrorInvalidValue);
    return quiz::issue(stream, quiz::graph_node, [exec] {
        exec->run();
        return quiz::state().sticky;
    });
}
static inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) { return cudaSuccess; }
static inline cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                           const cudaKernelNodeParams *asked,
                                                           const char *file = __builtin_FILE(),
                                                           int line = __builtin_LINE()) {
    return quiz::change(exec, node, quiz::work_of(*asked, file, line));
}
static inline cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                           const cudaMemcpy3DParms *asked) {
    return quiz::change(exec, node, quiz::work_of(*asked));
}
static inline cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                           const cudaMemsetParams *asked) {
    return quiz::change(exec, node, quiz::work_of(*asked));
}
// An instantiated graph takes the work of another one of the same kinds of nodes.
static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                              cudaGraphExecUpdateResultInfo *info) {
    quiz::GraphExec *other = quiz::order(*graph);
    bool same = other != nullptr && other->count == exec->count;
    for (size_t at = 0; same && at < exec->count; ++at)
        same = exec->steps[at].kind == other->steps[at].kind;
    if (info != nullptr)
        *info = {same ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged, nullptr,
                 nullptr};
    if (!same) return quiz::note(cudaErrorGraphExecUpdateFailure);
    for (size_t at = 0; at < exec->count; ++at) exec->steps[at].work = other->steps[at].work;
    return cudaSuccess;
}
static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *,
                                              cudaGraphExecUpdateResult *result) {
    cudaGraphExecUpdateResultInfo info;
    cudaError_t error = cudaGraphExecUpdate(exec, graph, &info);
    *result = info.result;
    return error;
}
